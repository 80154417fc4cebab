import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { entitlementsHttp } from '#contracts/entitlements.ts';
import { PanelLink } from '../../design/panel-link.tsx';
import { useWords } from '../../language/use-words.ts';
import { useLiveDeliveries } from '../../store-parts/use-live-deliveries.ts';
import { useRead } from '../../wire/queries.ts';
import { deskWords } from './desk.words.ts';

const mostShown = 20;

/** Items whose removal at their end is uncertain, which is decided on the member's page; and items that should have ended by now. */
export const OpenEnds = () => (
  <>
    <EndsAlert state="unknown" />
    <EndsAlert state="overdue" />
  </>
);

const EndsAlert = ({ state }: { readonly state: 'unknown' | 'overdue' }) => {
  const words = useWords(deskWords);
  const everyMs = useLiveDeliveries();
  const read = useRead(entitlementsHttp.list, { query: { state, limit: mostShown } }, { everyMs });
  const rows = read.data?.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <Alert
      color="var(--tone-warn)"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={words.ends[state].title}
    >
      <Text size="sm">{words.ends[state].text}</Text>
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
        {read.data?.nextCursor && <li>{words.endsMore}</li>}
      </ul>
    </Alert>
  );
};
