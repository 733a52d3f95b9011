package main

import (
	"strings"

	"github.com/alecthomas/kong"
)

// environment gives each flag the environment variable that its command and its name make, so that what is set for one
// command does not change another: PREFIX_KEY_CREATE_WAVES. A flag whose tag names one has that.
func environment(prefix string) kong.Option {
	return kong.PostBuild(func(k *kong.Kong) error {
		nameVariables(k.Model.Node, prefix)
		return nil
	})
}

func nameVariables(node *kong.Node, prefix string) {
	for _, flag := range node.Flags {
		if flag.Name == "help" || flag.Name == "version" || len(flag.Envs) > 0 {
			continue
		}
		name := prefix + "_" + variable(flag.Name)
		flag.Envs = append(flag.Envs, name)
		flag.Tag.Envs = append(flag.Tag.Envs, name)
	}
	for _, child := range node.Children {
		nameVariables(child, prefix+"_"+variable(child.Name))
	}
}

func variable(name string) string { return strings.ToUpper(strings.ReplaceAll(name, "-", "_")) }
