import { Badge, Button, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { pollMs, useChange, useRead } from '../../kit/api/queries.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { adminsWords } from './admins.words.ts';
import type { AdminCardProps } from './rights-card.tsx';

export const AdminSessions = ({ admin, isOwn, mayChange }: AdminCardProps) => {
  const words = useWords(adminsWords);
  const [isAsking, setIsAsking] = useState(false);
  const sessions = useRead(adminsHttp.sessions, { params: { id: admin.id } }, { everyMs: pollMs.seldom });
  const end = useChange(adminsHttp.endSessions, [adminsHttp.sessions]);
  const isSomewhere = (sessions.data?.rows.length ?? 0) > 0;

  const actions = mayChange && isSomewhere && (
    <Button size="xs" variant="default" onClick={() => setIsAsking(true)}>
      {words.endSessions}
    </Button>
  );
  return (
    <Card title={words.sessions} actions={actions}>
      <AsyncContent read={sessions}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Text c="dimmed">{words.noSessions}</Text>
          ) : (
            <Table aria-label={words.sessions}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">{words.device}</Table.Th>
                  <Table.Th scope="col" visibleFrom="sm">
                    {words.address}
                  </Table.Th>
                  <Table.Th scope="col">{words.lastUsed}</Table.Th>
                  <Table.Th scope="col" visibleFrom="sm">
                    {words.expires}
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map(({ id, userAgent, address, lastUsedAt, expiresAt, current }) => (
                  <Table.Tr key={id}>
                    <Table.Td>
                      <Stack gap={2} align="flex-start">
                        <Text size="sm" lineClamp={2} title={userAgent}>
                          <bdi>{userAgent || '–'}</bdi>
                        </Text>
                        {current && (
                          <Badge size="sm" variant="light" tt="none">
                            {words.thisOne}
                          </Badge>
                        )}
                      </Stack>
                    </Table.Td>
                    <Table.Td visibleFrom="sm">
                      <bdi>{address}</bdi>
                    </Table.Td>
                    <Table.Td>
                      <TimeAgo at={lastUsedAt} />
                    </Table.Td>
                    <Table.Td visibleFrom="sm">
                      <TimeAgo at={expiresAt} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )
        }
      </AsyncContent>
      {isAsking && (
        <ConfirmAction
          title={words.endQuestion(admin.name)}
          act={words.endSessions}
          onAction={async () => {
            const { ended } = await end.mutateAsync({ params: { id: admin.id } });
            notifyDone(words.ended(ended));
          }}
          onClose={() => setIsAsking(false)}
        >
          {isOwn ? words.endOwnText : words.endText}
        </ConfirmAction>
      )}
    </Card>
  );
};
