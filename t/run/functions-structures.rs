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
}
