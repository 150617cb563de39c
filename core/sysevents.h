/* SPDX-License-Identifier: MIT */
/*
 * The system event types.  Ids are part of the log's format: never renumber.
 * The fields describe the data; their types are those of
 * posix_trace_eventid_get_fields_np() in <trace.h>: integers first.
 */
#ifndef PTL_CORE_SYSEVENTS_H
#define PTL_CORE_SYSEVENTS_H

/* SYSEVENT(id, identifier, name, fields) */
#define PTL_SYSEVENTS(SYSEVENT) \
	SYSEVENT(1, ERROR, "posix_trace_error", "") \
	SYSEVENT(2, START, "posix_trace_start", "") \
	SYSEVENT(3, STOP, "posix_trace_stop", "") \
	SYSEVENT(4, FILTER, "posix_trace_filter", "") \
	SYSEVENT(5, OVERFLOW, "posix_trace_overflow", "") \
	SYSEVENT(6, RESUME, "posix_trace_resume", "") \
	SYSEVENT(7, FLUSH_START, "posix_trace_flush_start", "") \
	SYSEVENT(8, FLUSH_STOP, "posix_trace_flush_stop", "") \
	SYSEVENT(9, UNNAMED, "posix_trace_unnamed_userevent", "") \
	SYSEVENT(16, PROCESS_START, "process:start", "ppid:i exe:s argv:v") \
	SYSEVENT(17, PROCESS_FORK, "process:fork", "child:i") \
	SYSEVENT(18, PROCESS_EXEC, "process:exec", "path:s") \
	SYSEVENT(19, PROCESS_EXEC_FAILED, "process:exec_failed", \
		 "errno:i path:s") \
	SYSEVENT(20, PROCESS_EXIT, "process:exit", "status:i") \
	SYSEVENT(21, PROCESS_KILLED, "process:exit", "signal:i") \
	SYSEVENT(22, PROCESS_UNTRACED, "process:untraced", "path:s reason:s") \
	SYSEVENT(24, THREAD_START, "thread:start", "tid:i") \
	SYSEVENT(25, THREAD_EXIT, "thread:exit", "") \
	SYSEVENT(32, DL_MAP, "dl:map", "base:x size:x path:s build_id:b") \
	SYSEVENT(33, DL_UNMAP, "dl:unmap", "base:x size:x path:s") \
	SYSEVENT(34, DL_OPEN, "dl:open", "flags:x ret:x path:s") \
	SYSEVENT(35, DL_OPENS, "dl:open", "flags:x path:s") \
	SYSEVENT(36, DL_CLOSE, "dl:close", "handle:x ret:i") \
	SYSEVENT(40, SIGNAL_SEND, "signal:send", "signo:i pid:i tid:i") \
	SYSEVENT(41, SIGNAL_SEND_FAILED, "signal:send_failed", \
		 "errno:i signo:i pid:i tid:i") \
	SYSEVENT(42, SIGNAL_DELIVER, "signal:deliver", \
		 "signo:i handler:x code:i pid:i") \
	SYSEVENT(43, SIGNAL_FAULT, "signal:deliver", \
		 "signo:i handler:x code:i fault:x") \
	SYSEVENT(44, SIGNAL_WAIT, "signal:wait", "signo:i code:i pid:i") \
	SYSEVENT(240, CALL_SYMBOL, "call:symbol", \
		 "callee:x function:s library:s") \
	SYSEVENT(241, CALL_ENTER, "call:enter", "callee:x") \
	SYSEVENT(242, CALL_EXIT, "call:exit", "callee:x ret:x")

enum ptl_sysevent {
#define SYSEVENT(id, ident, name, fields) PTL_EV_##ident = (id),
	PTL_SYSEVENTS(SYSEVENT)
#undef SYSEVENT
};

#endif
