"""Where the tests run: a trusted process with torch loaded that forks once per submission."""
