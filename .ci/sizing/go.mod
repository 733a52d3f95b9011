module example.com/sizing

go 1.26.0

require github.com/crosswave/crosswave v0.0.0

replace github.com/crosswave/crosswave => ../..
