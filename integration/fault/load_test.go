package fault

func child(string) int { return 0 }
