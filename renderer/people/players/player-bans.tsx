import { Box, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { type Ban, bansHttp } from '#contracts/people/bans.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { BanReachLabel, useBanEnd, useBanScope } from '../moderation/ban-labels.tsx';
import { bansWords } from '../moderation/bans.words.ts';
import { mayChangeBan, UnbanDialog } from '../moderation/unban.tsx';
import classes from './player-bans.module.css';

/** The list of all bans has the rest. */
const most = 20;

/** Who banned a player, why, since when, and where the ban applies. */
export const PlayerBans = ({ playerId, name }: { readonly playerId: string; readonly name: string }) => {
  const words = useWords(bansWords);
  const read = useRead(bansHttp.list, { query: { playerId, limit: most } }, { everyMs: pollMs.often });
  const [unbanning, setUnbanning] = useState<Ban | null>(null);
  return (
    <Card
      title={words.ofPlayer}
      actions={<PanelLink to={`/bans?q=${encodeURIComponent(name.slice(0, 100))}`}>{words.all}</PanelLink>}
    >
      <AsyncContent read={read}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Text c="dimmed">{words.noneOfPlayer}</Text>
          ) : (
            <ul className={classes.bans}>
              {rows.map((ban) => (
                <BanItem key={ban.id} ban={ban} onUnban={() => setUnbanning(ban)} />
              ))}
            </ul>
          )
        }
      </AsyncContent>
      {unbanning && <UnbanDialog ban={unbanning} onClose={() => setUnbanning(null)} />}
    </Card>
  );
};

const BanItem = ({ ban, onUnban }: { readonly ban: Ban; readonly onUnban: () => void }) => {
  const words = useWords(bansWords);
  const can = useCan();
  const scopeOf = useBanScope();
  const endOf = useBanEnd();
  return (
    <li>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Box flex="1 1 16rem" miw={0}>
          <PanelLink to={`/bans/${ban.id}`}>
            {ban.reason === '' ? words.noReason : <bdi>{ban.reason}</bdi>}
          </PanelLink>
          <Text size="sm" c="dimmed" component="div">
            {scopeOf(ban)}
            {' · '}
            <bdi>{ban.by.name ?? '–'}</bdi>
            {' · '}
            <TimeAgo at={ban.bannedAt} />
            {' · '}
            {endOf(ban)}
          </Text>
        </Box>
        <Group gap="xs">
          <BanReachLabel ban={ban} />
          {ban.endedAt === null && mayChangeBan(can, ban) && (
            <Button size="compact-sm" variant="default" onClick={onUnban}>
              {words.unban}
            </Button>
          )}
        </Group>
      </Group>
    </li>
  );
};
