/**
 * English words that say nothing about a subject. Long on purpose: with an OR query a frequent word
 * costs time and moves every document a little.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above across actually after afterwards again against all almost along already also although always am
among amongst amount an and another any anybody anyhow anyone anything anyway anywhere are aren around as ask at away
be became because become becomes been before beforehand began begin being below beside besides between beyond both
but by call came can cannot come comes could couldn describe described detail details did didn do does doesn doing don
done down due during each either else elsewhere enough especially etc even ever every everybody everyone everything
everywhere except explain far few find first following for former found from further gave general get gets getting
give given gives go goes going gone good got had hadn has hasn have haven having he hence her here hers herself him
himself his how however i if in include included includes including indeed instead into is isn it its itself just
keep kind knew know known largely last later least less let like likely list ll look made mainly make makes making
many may maybe me mean means meant might mine more moreover most mostly much must my myself namely near nearly need
needs neither never nevertheless next no nobody none nor not nothing now nowhere obtain obtained of off often on once
one ones only onto or other others otherwise our ours ourselves out over overall own particular per perhaps please
possible present presented put quite rather re really regarding s said same saw say says see seem seemed seems seen
several shall she should show showed shown shows simply since so some somebody somehow someone something sometimes
somewhere still such summarise summarize t take taken takes tell than that the their theirs them themselves then
there thereby therefore these they thing things this those though through throughout thus to together too took toward
towards try two under unless until up upon us use used uses using usually various ve very via want was wasn way we
well went were what whatever when whenever where whereas wherever whether which while who whoever whole whom whose why
will with within without won would wouldn yes yet you your yours yourself yourselves`
    .split(/\s+/)
    .filter((word) => word !== ""),
);
