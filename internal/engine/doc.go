// Package engine sends the load of one trial over HTTP/1.1 and measures it: the portable path, a goroutine per
// connection on net.Conn with its own request bytes and its own response reader.
//
// Nothing is retried and nothing fails silently: every attempt ends as a complete reply that met the expectations, or
// as a failure of one class of pkg/result. In steady state on kept connections a request allocates nothing, costs one
// write and the reads that its reply needs, and touches no state shared between connections but a request budget that
// is taken in small batches.
//
// The order of reading: run.go starts and ends a run, worker.go is the life of a connection, reply.go and body.go read
// a reply, recorder.go keeps the numbers, watch.go enforces the time limits, giveup.go decides when a target is dead,
// measurement.go states the result.
package engine
