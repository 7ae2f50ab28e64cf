module presenza.example/program

go 1.24
