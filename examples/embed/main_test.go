package main

import (
	"context"
	"fmt"
	"os"
)

// Women who bought tea: 1,520.5 and 1,500 in the north, in two waves, are 1,510.25 people; 2,210.25 in the south, where
// two waves were fielded too, are 1,105.125: together 2,615.375.
func Example() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// tea        × women         2615.4 people (3 respondents)   71.4 % of the column  index 140.2
	// tea        × young women    760.2 people (1 respondents)   42.0 % of the column  index  82.5
	// two drinks × women         1510.2 people (2 respondents)   41.2 % of the column  index 131.3
	// two drinks × young women    760.2 people (1 respondents)   42.0 % of the column  index 133.8
	// no tea     × women         1050.0 people (1 respondents)   28.6 % of the column  index  58.3
	// no tea     × young women   1050.0 people (1 respondents)   58.0 % of the column  index 118.1
}
