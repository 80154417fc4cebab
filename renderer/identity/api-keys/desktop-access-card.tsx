import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type DesktopAccess, desktopAccessHttp } from '#contracts/identity/desktop-access.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { apiKeysWords } from './api-keys.words.ts';

/** Which desktop has access where Windows runs the stack; shown only if there is one. */
export const DesktopAccessCard = () => {
  const { desktops: words, revoke, lastUsed, never } = useWords(apiKeysWords);
  const can = useCan();
  const { data } = useRead(desktopAccessHttp.list, {}, { enabled: can('admins.read') });
  const end = useChange(desktopAccessHttp.revoke, [desktopAccessHttp.list]);
  const [asked, setAsked] = useState<DesktopAccess | null>(null);
  if (!data || data.rows.length === 0) return null;
  return (
    <Card title={words.title}>
      <Text c="dimmed">{words.text}</Text>
      {data.rows.map((row) => (
        <Group key={row.id} justify="space-between">
          <Stack gap={2}>
            <bdi>{row.user}</bdi>
            <Text size="sm" c="dimmed">
              {lastUsed}: {row.lastUsedAt ? <TimeAgo at={row.lastUsedAt} /> : never}
            </Text>
          </Stack>
          {can('admins.write') && (
            <Button
              size="xs"
              variant="default"
              aria-label={words.revokeOf(row.user)}
              onClick={() => setAsked(row)}
            >
              {revoke}
            </Button>
          )}
        </Group>
      ))}
      {asked && (
        <ConfirmAction
          title={words.question(asked.user)}
          act={revoke}
          onAction={() => end.mutateAsync({ params: { id: asked.id } })}
          doneText={words.revoked(asked.user)}
          onClose={() => setAsked(null)}
        >
          {words.consequence}
        </ConfirmAction>
      )}
    </Card>
  );
};
