import { Box, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { games } from '#contracts/servers/games.ts';
import { type Entitlement, type EntitlementPlace, entitlementsHttp } from '#contracts/store/entitlements.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { notifyTrouble } from '../../kit/design/notify.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel, type Tone } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { Said } from '../../kit/language/said.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { useLiveDeliveries } from '../../store/use-live-deliveries.ts';
import { lastingWords } from './lasting.words.ts';
import classes from './members.module.css';

const tones: Readonly<Record<EntitlementPlace['state'], Tone>> = {
  held: 'ok',
  taking: 'busy',
  giving: 'busy',
  unknown: 'warn',
  taken: 'idle',
  'given-up': 'bad',
};
const reread = [entitlementsHttp.ofMember, entitlementsHttp.list];

/** What a member has for a limited time, and the state of its removal. */
export const LastingCard = ({ memberId }: { readonly memberId: string }) => {
  const words = useWords(lastingWords);
  const can = useCan();
  const enabled = can('orders.read');
  const everyMs = useLiveDeliveries();
  const [ending, setEnding] = useState<Entitlement | null>(null);
  const read = useRead(entitlementsHttp.ofMember, { params: { id: memberId } }, { enabled, everyMs });
  const end = useChange(entitlementsHttp.end, reread);
  if (!enabled) return null;
  return (
    <Card title={words.title}>
      <AsyncContent read={read}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Text c="dimmed">{words.none}</Text>
          ) : (
            <ul className={classes.orders}>
              {rows.map((row) => (
                <LastingRow key={row.id} row={row} onEnd={can('orders.write') ? setEnding : null} />
              ))}
            </ul>
          )
        }
      </AsyncContent>
      {ending && (
        <ConfirmAction
          title={words.endTitle(ending.key)}
          act={words.end}
          onAction={() => end.mutateAsync({ params: { id: ending.id }, body: {} })}
          doneText={words.ended(ending.key)}
          onClose={() => setEnding(null)}
        >
          {words.endText}
        </ConfirmAction>
      )}
    </Card>
  );
};

const LastingRow = ({
  row,
  onEnd,
}: {
  readonly row: Entitlement;
  /** Null: not allowed for this reader. */
  readonly onEnd: ((row: Entitlement) => void) | null;
}) => {
  const words = useWords(lastingWords);
  const format = useFormat();
  const [newest] = row.grants;
  const dayAndTime = (at: string) => `${format.date(at)}, ${format.time(at)}`;
  return (
    <li>
      <Group justify="space-between" align="flex-start" gap="xs">
        <Box flex="1 1 16rem" miw={0}>
          <Text fw={500} component="div">
            <bdi>{row.key}</bdi>
          </Text>
          <Text size="sm" c="dimmed" component="div">
            {games[row.game].name}
            {newest && (
              <>
                {' · '}
                <PanelLink to={`/orders/${newest.orderId}`}>
                  <bdi>{newest.productName}</bdi>
                </PanelLink>
                {' · '}
                <TimeAgo at={newest.givenAt} />
              </>
            )}
          </Text>
          {row.places.map((place) => (
            <PlaceLine key={place.id} place={place} lasts={row.endedAt === null} mayDecide={onEnd !== null} />
          ))}
        </Box>
        <Group gap="xs">
          {row.endedAt === null ? (
            <StateLabel tone="ok">
              {row.endsAt === null ? words.lasts : words.until(dayAndTime(row.endsAt))}
            </StateLabel>
          ) : (
            <StateLabel tone="idle">{words.endedOn(dayAndTime(row.endedAt))}</StateLabel>
          )}
          {row.endedAt === null && onEnd && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={words.endOne(row.key)}
              onClick={() => onEnd(row)}
            >
              {words.end}
            </Button>
          )}
        </Group>
      </Group>
    </li>
  );
};

/** The states in which a person may step in: including the wait for a server that may never come back. */
const openStates: readonly EntitlementPlace['state'][] = ['taking', 'giving', 'unknown', 'given-up'];

/**
 * The text for a place that waits for a person depends on the decision needed there, and on whether the game reported
 * that it did not happen.
 */
const usePlaceText = ({ state, reason }: EntitlementPlace, lasts: boolean) => {
  const words = useWords(lastingWords);
  if (state !== 'unknown') return words.places[state];
  if (reason?.code === 'taking-lost') return lasts ? words.givenInDoubt : words.places.unknown;
  return lasts ? words.notGiven : words.notTaken;
};

const PlaceLine = (props: {
  readonly place: EntitlementPlace;
  readonly lasts: boolean;
  readonly mayDecide: boolean;
}) => {
  const { place, lasts, mayDecide } = props;
  const words = useWords(lastingWords);
  const can = useCan();
  const servers = useRead(gameServersHttp.list, {}, { enabled: can.somewhere('servers.read') });
  const retry = useChange(entitlementsHttp.retry, reread);
  const done = useChange(entitlementsHttp.done, reread);
  const server = servers.data?.rows.find(({ id }) => id === place.serverId)?.name ?? place.serverId;
  const text = usePlaceText(place, lasts);
  const isOpen = openStates.includes(place.state);
  const isOver = place.state === 'taken' || place.state === 'held';
  const params = { id: place.id };
  return (
    <Group gap="xs" justify="space-between">
      <Text size="sm" component="div">
        <StateLabel tone={tones[place.state]}>
          <bdi>{text(server)}</bdi>
        </StateLabel>
        {isOver && place.certainty !== null && (
          <Text size="sm" c="dimmed" component="div">
            {words.certainty[place.certainty]}
          </Text>
        )}
        {place.reply !== null && place.reply !== '' && (
          <Text size="sm" c="dimmed" component="div">
            {words.reply} <bdi>{place.reply}</bdi>
          </Text>
        )}
        {place.detail !== null && (
          <Text size="sm" c="dimmed" component="div">
            <Said reason={place.reason} detail={place.detail} />
          </Text>
        )}
      </Text>
      {isOpen && mayDecide && (
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            loading={retry.isPending}
            onClick={() => retry.mutate({ params, body: {} }, { onError: notifyTrouble })}
          >
            {words.retry}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            loading={done.isPending}
            onClick={() => done.mutate({ params, body: {} }, { onError: notifyTrouble })}
          >
            {lasts ? words.doneGiving : words.done}
          </Button>
        </Group>
      )}
    </Group>
  );
};
