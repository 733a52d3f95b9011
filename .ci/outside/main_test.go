package main

import (
	"context"
	"fmt"
	"os"
)

func Example() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// imported 1000 respondents from Go, version 1
	// a        200 of 1000 respondents  150.0 of  750.0 people  20.0 %  index  99.2  (core)
	// b        200 of 1000 respondents  150.0 of  750.0 people  20.0 %  index 125.0  (core)
	// c         15 of  375 respondents    7.5 of  187.5 people   4.0 %  index 125.0  (core)
	// often     60 of  600 respondents  300.0 of 3000.0 people  10.0 %  index 100.0  (shop)
	// seldom    60 of  600 respondents  300.0 of 3000.0 people  10.0 %  index 100.0  (shop)
	// neither  120 of  600 respondents  600.0 of 3000.0 people  20.0 %  index 100.0  (shop)
	// a store of our own gives the same 6 cells
	// over HTTP, key "everything", wave w2: 200: 150 respondents, who stand for 300.0 people, drink tea
	// over HTTP, key "south", wave w2: 200: 50 respondents, who stand for 100.0 people, drink tea
	// over HTTP, key "nobody", wave w2: 401: the request carries no valid key: send one in the header Authorization
	// over HTTP, key "everything", wave w9: 403: not available: waves w9
	// from four stores, POST /v2/saved/audiences: 201 with "user_id":1000000000000,"name":"Tea"
	// from four stores, POST /v2/query/intersection: 200 with "sample":150
	// from four stores, GET /v3/insights/7: 200 with "name":"More tea"
}
