import { Text } from '@mantine/core';
import type { GameServer } from '#contracts/game-servers.ts';
import { useCan } from '../../../access/access-state.ts';
import { PanelLink } from '../../../design/panel-link.tsx';
import { outcomesWords } from '../../../game-servers/outcomes.words.ts';
import { ServerStateSentence, serverTones } from '../../../game-servers/server-state.tsx';
import { useTold } from '../../../language/use-told.ts';
import { useWords } from '../../../language/use-words.ts';
import classes from './server-overview.module.css';
import { serverOverviewWords } from './server-overview.words.ts';

/** Why the server does not answer, and what helps; nothing while it answers. */
export const NeedsAttention = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(serverOverviewWords);
  const outcomes = useWords(outcomesWords);
  const can = useCan();
  const told = useTold();
  const { state, shown, detail, outcome } = server.status;
  const failed = outcome !== null && outcome !== 'answered' ? outcome : null;
  if (state === 'online' && detail === null) return null;
  const remedy =
    state === 'starting'
      ? words.starting
      : failed
        ? outcomes.remedies[failed]
        : state === 'unknown'
          ? words.askedNever
          : null;
  if (!remedy && !detail && !failed) return null;
  return (
    <section
      className={classes.attention}
      data-tone={state === 'online' ? 'warn' : serverTones[shown]}
      aria-label={words.attention}
    >
      {state !== 'online' && <ServerStateSentence server={server} />}
      {failed && <Text fw={600}>{outcomes.outcomes[failed]}</Text>}
      {remedy && <Text size="sm">{remedy}</Text>}
      {detail && (
        <Text size="sm">
          <bdi>{told(detail)}</bdi>
        </Text>
      )}
      {can('servers.write', server.id) && state !== 'starting' && (
        <PanelLink size="sm" to={`/servers/${encodeURIComponent(server.id)}/settings`}>
          {words.fixSettings}
        </PanelLink>
      )}
    </section>
  );
};
