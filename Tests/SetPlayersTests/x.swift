import SetPlayers
