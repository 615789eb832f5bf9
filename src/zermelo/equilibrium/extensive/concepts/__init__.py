"""Other solution concepts on trees: quantal response, Stackelberg, correlation with a mediator."""
