// Package engine sends the load of one trial over HTTP/1.1 and measures it.
//
// Nothing is retried and nothing fails silently: every attempt ends as a complete reply that met the expectations, or
// as a failure of one class of pkg/result. In steady state on kept connections a request allocates nothing, costs one
// write and the reads that its reply needs, and touches no state shared between connections but a request budget that
// is taken in small batches.
//
// There are two paths (path.go). On Linux, plain HTTP goes over loops on epoll: fast_linux.go has the threads,
// loop_linux.go what a thread does, conn_linux.go the life of a connection, socket_linux.go the system calls. All else
// goes over the portable path, a goroutine per connection on net.Conn: portable.go, worker.go, watch.go for its time
// limits. The build tag portable leaves the first one out.
//
// Both use what is in run.go (start and end of a run), reply.go and body.go (reading a reply), check.go, classify.go,
// recorder.go (the numbers), giveup.go (when a target is dead) and measurement.go (the result).
package engine
