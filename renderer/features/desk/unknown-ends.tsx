import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { entitlementsHttp } from '#contracts/entitlements.ts';
import { PanelLink } from '../../design/panel-link.tsx';
import { useWords } from '../../language/use-words.ts';
import { useLiveDeliveries } from '../../store-parts/use-live-deliveries.ts';
import { useRead } from '../../wire/queries.ts';
import { deskWords } from './desk.words.ts';

const mostShown = 20;

/** What no one can tell was taken back at its end; it is decided on the member's page. */
export const UnknownEnds = () => {
  const words = useWords(deskWords);
  const everyMs = useLiveDeliveries();
  const read = useRead(entitlementsHttp.list, { query: { state: 'unknown', limit: mostShown } }, { everyMs });
  const rows = read.data?.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <Alert
      color="var(--tone-warn)"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={words.unknownEnds}
    >
      <Text size="sm">{words.unknownEndsText}</Text>
      <ul>
        {rows.map(({ id, key, memberId, memberName }) => (
          <li key={id}>
            <bdi>{key}</bdi>
            {' · '}
            <PanelLink to={`/members/${memberId}`}>
              <bdi>{memberName}</bdi>
            </PanelLink>
          </li>
        ))}
        {read.data?.nextCursor && <li>{words.unknownEndsMore}</li>}
      </ul>
    </Alert>
  );
};
