// Command benchstat-http measures HTTP servers with repeated trials in randomised blocks, and decides whether one is
// faster than another. The README is its manual.
package main
