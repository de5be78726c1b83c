package main

import (
	"github.com/spf13/cobra"

	"github.com/benchstat-http/benchstat-http/internal/demoserver"
)

func newServeCommand(s streams) *cobra.Command {
	cfg := demoserver.Config{Log: s.err}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "The embedded demo server, with a known law of service times",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return demoserver.Run(cmd.Context(), cfg) },
	}
	demoserver.AddFlags(cmd.Flags(), &cfg)
	return cmd
}

// noArguments refuses arguments as wrong usage.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments, got %q", cmd.CommandPath(), args[0])
	}
	return nil
}
