module presenza.example/presenza

go 1.24
