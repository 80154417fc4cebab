import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { EventRow } from '#contracts/operations/event-row.ts';
import { kindName } from '#contracts/operations/event-sentence.ts';
import { eventWords } from '#contracts/operations/event-words.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { type Fact, Facts } from '../../kit/design/facts.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { Moment } from '../../kit/records/moment.tsx';
import { RawRecord } from '../../kit/records/raw-record.tsx';
import { RecordDrawer } from '../../kit/records/record-drawer.tsx';
import { eventSentence } from '../event-sentence.ts';
import { severityTones } from './event-line.tsx';
import { eventsWords } from './events.words.ts';

/** The ids in an event, and the pages that show them. */
const subjects = [
  { field: 'memberId', path: '/members', permission: 'members.read', label: 'member' },
  { field: 'orderId', path: '/orders', permission: 'orders.read', label: 'order' },
  { field: 'deliveryId', path: '/deliveries', permission: 'orders.read', label: 'delivery' },
] as const;

interface EventDrawerProps {
  readonly event: EventRow;
  readonly serverName: string | null;
  readonly onClose: () => void;
}

const idIn = (payload: EventRow['payload'], name: string): string | null => {
  const id = payload[name];
  return typeof id === 'string' && id !== '' ? id : null;
};

/** All details of an event, with links to the people and things in it. */
export const EventDrawer = ({ event, serverName, onClose }: EventDrawerProps) => {
  const words = useWords(eventsWords);
  const language = useLanguage();
  const can = useCan();
  const { at, kind, severity, serverId, payload } = event;
  const name = typeof payload.name === 'string' ? payload.name : '';
  const link = (path: string, id: string, text: string, isOpen: boolean) =>
    isOpen ? (
      <PanelLink to={`${path}/${encodeURIComponent(id)}`}>
        <bdi>{text || id}</bdi>
      </PanelLink>
    ) : (
      <bdi>{text || id}</bdi>
    );
  const playerId = idIn(payload, 'playerId');
  const adminId = idIn(payload, 'adminId');
  const facts: Fact[] = [
    {
      label: words.when,
      value: (
        <>
          <Moment at={at} /> (<TimeAgo at={at} />)
        </>
      ),
    },
    { label: words.kind, value: kindName(kind, language) },
    {
      label: words.severity,
      value: (
        <StateLabel tone={severityTones[severity]}>{eventWords[language].severities[severity]}</StateLabel>
      ),
    },
  ];
  if (serverId !== null)
    facts.push({
      label: words.server,
      value: link('/servers', serverId, serverName ?? '', can('servers.read', serverId)),
    });
  const withAll = (person: string, shown: ReactNode) => (
    <Group gap="sm">
      {shown}
      <PanelLink to={`/events?person=${encodeURIComponent(person)}`} size="sm">
        {words.everything}
      </PanelLink>
    </Group>
  );
  if (playerId !== null)
    facts.push({
      label: words.player,
      value: withAll(
        `player:${playerId}`,
        link('/players', playerId, name, can('players.read', serverId ?? undefined)),
      ),
    });
  if (adminId !== null)
    facts.push({
      label: words.admin,
      value: withAll(`admin:${adminId}`, link('/admins', adminId, name, can('admins.read'))),
    });
  for (const { field, path, permission, label } of subjects) {
    const id = idIn(payload, field);
    if (id !== null && can(permission))
      facts.push({ label: words[label], value: link(path, id, words.open(words[label]), true) });
  }
  if (idIn(payload, 'shopId') !== null && can('shops.read'))
    facts.push({
      label: words.outsideShop,
      value: (
        <PanelLink to="/shops">
          <bdi>{idIn(payload, 'shop') ?? words.outsideShop}</bdi>
        </PanelLink>
      ),
    });
  return (
    <RecordDrawer title={kindName(kind, language)} onClose={onClose}>
      <Text>{eventSentence(event, language, serverName)}</Text>
      <Facts facts={facts} />
      <RawRecord record={event} />
    </RecordDrawer>
  );
};
