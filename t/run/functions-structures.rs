// SPDX-License-Identifier: MIT
// The same in Rust, for t/run/functions-structures.t.
use std::hint::black_box;

#[derive(Clone, Copy)]
pub enum Shade {
    Dark = 1,
    Bright = 5,
}
pub struct Point {
    x: f64,
    y: f64,
}
pub struct All<'a> {
    shade: Shade,
    point: Point,
    name: &'a str,
    many: [u16; 4],
    flag: bool,
    pair: (i32, u8),
}
pub struct Small {
    a: u16,
    b: u16,
}
pub enum Fault {
    Io(i32),
    Parse { line: u32, column: u16 },
    Empty,
}
pub struct Enums<'a> {
    none: Option<u32>,
    some: Option<u32>,
    no_place: Option<&'a u32>,
    place: Option<&'a u32>,
    fine: Result<u8, Fault>,
    failed: Result<u8, Fault>,
    shade: Option<Shade>,
    both: Option<Option<bool>>,
    many: [Option<i16>; 3],
    faults: [Fault; 2],
    nothing: Result<(), Fault>,
}

#[inline(never)]
pub fn refers(all: &All, n: i32) -> i32 {
    black_box(all.many[0] as i32 + n)
}
#[inline(never)]
pub fn by_value(p: Point, shade: Shade) -> f64 {
    black_box(p.x + p.y + (shade as i32) as f64)
}
#[inline(never)]
pub fn moved(all: All) -> usize {
    black_box(all.name.len())
}
#[inline(never)]
pub fn makes(n: i32) -> Point {
    black_box(Point { x: n as f64, y: 2.5 })
}
#[inline(never)]
pub fn small(n: u16) -> Small {
    black_box(Small { a: n, b: n + 1 })
}
#[inline(never)]
pub fn enums(all: &Enums) -> i32 {
    black_box(all.many[0].is_some() as i32 + 2)
}
#[inline(never)]
pub fn option(a: Option<u32>, b: Option<u64>, c: Option<&Point>) -> u32 {
    black_box(a.unwrap_or(7) + b.unwrap_or(1) as u32 + c.is_some() as u32)
}
#[inline(never)]
pub fn gives(n: u32) -> Option<u32> {
    if black_box(n) > 5 { None } else { Some(n) }
}
#[inline(never)]
pub fn tries(n: u32) -> Result<Point, Fault> {
    match black_box(n) {
        0 => Ok(Point { x: 1.5, y: 2.0 }),
        1 => Err(Fault::Io(-2)),
        2 => Err(Fault::Parse { line: 4, column: 7 }),
        _ => Err(Fault::Empty),
    }
}
#[inline(never)]
pub fn one_word(n: u32) -> Result<u32, Shade> {
    if black_box(n) > 0 { Ok(n) } else { Err(Shade::Bright) }
}
#[inline(never)]
pub fn fault(fault: &Fault) -> u32 {
    match black_box(fault) {
        Fault::Io(n) => *n as u32,
        Fault::Parse { line, column } => line + *column as u32,
        Fault::Empty => 0,
    }
}
#[inline(never)]
pub fn texts(a: &str, b: &String, c: &[u8], d: &Vec<u32>) -> usize {
    black_box((a, c));
    black_box(a.len() + b.len() + c.len() + d.len())
}
#[inline(never)]
pub fn name(n: u32) -> String {
    black_box(format!("name {}", n))
}
#[inline(never)]
pub fn part(text: &str) -> &str {
    black_box(&text[1..])
}

fn in_texts(n: u32) {
    let (texts, name, part): (
        fn(&str, &String, &[u8], &Vec<u32>) -> usize,
        fn(u32) -> String,
        fn(&str) -> &str,
    ) = black_box((texts, name, part));

    println!("{}", texts("text", &"a string".to_string(), b"ab", &vec![4, 5, n]));
    println!("{}", texts("", &String::new(), &[], &Vec::new()));
    println!("{} {}", name(n), part("part"));
}

fn in_enums(n: u32) {
    let (enums, option, gives, tries, one_word, fault): (
        fn(&Enums) -> i32,
        fn(Option<u32>, Option<u64>, Option<&Point>) -> u32,
        fn(u32) -> Option<u32>,
        fn(u32) -> Result<Point, Fault>,
        fn(u32) -> Result<u32, Shade>,
        fn(&Fault) -> u32,
    ) = black_box((enums, option, gives, tries, one_word, fault));
    let point = Point { x: 1.5, y: n as f64 };
    let number = n + 4;
    let all = Enums {
        none: None,
        some: Some(number),
        no_place: None,
        place: Some(&number),
        fine: Ok(n as u8),
        failed: Err(Fault::Parse { line: 3, column: 9 }),
        shade: Some(Shade::Bright),
        both: Some(Some(n > 0)),
        many: [Some(1), None, Some(-3)],
        faults: [Fault::Empty, Fault::Io(-5)],
        nothing: Ok(()),
    };

    println!("{}", enums(&all));
    println!("{}", option(Some(3), None, Some(&point)));
    println!("{}", option(None, Some(n as u64), None));
    println!("{:?} {:?}", gives(n), gives(n + 10));
    for i in 0..4 {
        println!("{}", tries(i).is_ok());
    }
    println!("{} {}", one_word(n).is_ok(), one_word(n - 1).is_ok());
    for one in [Fault::Io(3), Fault::Parse { line: 1, column: 2 }, Fault::Empty] {
        println!("{}", fault(&one));
    }
    black_box((all.none, all.some, all.no_place, all.place, all.fine, all.failed));
    black_box((all.shade, all.both, all.faults, all.nothing));
}

fn main() {
    let n = std::env::args().count() as i32;
    let all = All {
        shade: Shade::Bright,
        point: Point { x: 1.5, y: 2.0 },
        name: "name",
        many: [1, 2, 3, 4],
        flag: n > 0,
        pair: (1, 2),
    };
    // Their addresses are taken, so that they are called as they should be.
    let (refers, by_value, moved, makes, small): (
        fn(&All, i32) -> i32,
        fn(Point, Shade) -> f64,
        fn(All) -> usize,
        fn(i32) -> Point,
        fn(u16) -> Small,
    ) = black_box((refers, by_value, moved, makes, small));
    let shade = if n > 5 { Shade::Dark } else { Shade::Bright };

    println!("{}", refers(&all, n));
    println!("{}", by_value(Point { x: 3.5, y: n as f64 }, shade));
    println!("{}", makes(n).x);
    println!("{}", small(n as u16).b);
    println!("{} {} {} {}", all.flag, all.pair.0, all.pair.1, all.point.x + all.point.y);
    println!("{}", moved(all));
    in_enums(n as u32);
    in_texts(n as u32);
}
