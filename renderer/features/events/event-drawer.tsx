import { Group, Text, Title } from '@mantine/core';
import { kindName } from '#contracts/event-sentence.ts';
import { eventWords } from '#contracts/event-words.ts';
import type { EventRow } from '#contracts/events.ts';
import { useCan } from '../../access/access-state.ts';
import { CopyButton } from '../../design/copy-button.tsx';
import { type Fact, Facts } from '../../design/facts.tsx';
import { PanelLink } from '../../design/panel-link.tsx';
import { StateLabel } from '../../design/state-label.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { eventSentence } from '../../event-words/event-sentence.ts';
import { useLanguage, useWords } from '../../language/use-words.ts';
import { Moment } from '../../records/moment.tsx';
import { RecordDrawer } from '../../records/record-drawer.tsx';
import { Value } from '../../records/value.tsx';
import { severityTones } from './event-line.tsx';
import { eventsWords } from './events.words.ts';

export interface EventDrawerProps {
  readonly event: EventRow;
  readonly serverName: string | null;
  readonly onClose: () => void;
}

const idIn = (payload: EventRow['payload'], name: string): string | null => {
  const id = payload[name];
  return typeof id === 'string' && id !== '' ? id : null;
};

/** All that is kept of an event, and the ways to whom it concerns. */
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
  if (playerId !== null)
    facts.push({
      label: words.player,
      value: link('/players', playerId, name, can('players.read', serverId ?? undefined)),
    });
  if (adminId !== null)
    facts.push({ label: words.admin, value: link('/admins', adminId, name, can('admins.read')) });
  return (
    <RecordDrawer title={kindName(kind, language)} onClose={onClose}>
      <Text>{eventSentence(event, language, serverName)}</Text>
      <Facts facts={facts} />
      <Group justify="space-between">
        <Title order={3}>{words.payload}</Title>
        <CopyButton value={JSON.stringify(event, null, 2)} label={words.copy} />
      </Group>
      <Facts
        facts={Object.entries(payload).map(([field, value]) => ({
          label: <bdi>{field}</bdi>,
          value: <Value value={value} />,
        }))}
      />
    </RecordDrawer>
  );
};
