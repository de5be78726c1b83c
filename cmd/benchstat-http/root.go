package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/benchstat-http/benchstat-http/internal/server"
)

// superviseCommand is the hidden first argument under which this program guards one server's process tree.
const superviseCommand = "__supervise"

// run is the whole program but for the process itself: it returns the exit status.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	if len(args) > 0 && args[0] == superviseCommand {
		return server.SuperviseMain(args[1:])
	}
	s := streams{in: in, out: out, err: errOut}
	root := newRootCommand(s)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil {
		printError(errOut, err)
	}
	return exitStatus(err)
}

func newRootCommand(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "benchstat-http",
		Short: "Measure HTTP servers fairly, and decide honestly",
		Long: `benchstat-http sends warm-up requests, then repeated trials to each target in randomised blocks, and says
which target is faster, by how much, and how sure that is.

  benchstat-http compare a.yaml b.yaml             measure two targets and decide
  benchstat-http run http://127.0.0.1:8080/ -n 10000 -c 50
  benchstat-http analyze ab-output.txt             statistics of runs that exist

Exit status: 0 done, 1 the measurement failed, 2 wrong usage or unreadable input, 130 interrupted, 143 terminated.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q; see 'benchstat-http --help'", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		newRunCommand(s), newCompareCommand(s), newAnalyzeCommand(s), newPlanCommand(s), newServeCommand(s), newVersionCommand(s),
	)
	return root
}

// flagError turns a flag-parsing error into a usage error that names where help is, on one line.
func flagError(cmd *cobra.Command, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	text := strings.ReplaceAll(err.Error(), "\n", " ")
	return usagef("%s; see '%s --help'", text, cmd.CommandPath())
}
