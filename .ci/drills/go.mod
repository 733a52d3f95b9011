module example.com/drills

go 1.26.0
