// Package sim runs seeded simulations in parallel, judges their rates against references and limits, and writes them as a
// document.
package sim
