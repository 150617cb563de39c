P=/tmp/wt/many/build
cd /tmp/w/many
R=$P/tools/ptrace-run; ls $P/bin 2>/dev/null
rm -f tp.log
$R -q -o tp.log --traceparent sh -c 'echo sh $TRACEPARENT; /usr/bin/python3 -c "import os,subprocess;print(\"py\",os.environ[\"TRACEPARENT\"],flush=True);subprocess.run([\"env\"]);os.posix_spawn(\"/usr/bin/env\",[\"env\"],{\"A\":\"1\"});os.wait()" | grep -E "py|^TRACEP|PTRACE_T"; env -i sh -c "echo empty \$TRACEPARENT"; exec sh -c "echo exec \$TRACEPARENT"'
$P/tools/ptrace-dump -n process:environment tp.log
$P/tools/ptrace-dump -f otlp tp.log | python3 -c '
import json,sys
for l in sys.stdin:
  for r in json.loads(l)["resourceSpans"]:
    for sc in r["scopeSpans"]:
      for s in sc["spans"]: print(s["name"],s["traceId"],s["spanId"],s.get("parentSpanId"),s.get("links"))'
