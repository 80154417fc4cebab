import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type ApiKey, apiKeysHttp } from '#contracts/identity/api-keys.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { serverNowMs } from '../../kit/api/server-clock.ts';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { TimeAgo } from '../../kit/design/time-ago.tsx';
import { useReturnFocus } from '../../kit/design/use-return-focus.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { rightsWords } from '../rights.words.ts';
import { apiKeysWords } from './api-keys.words.ts';
import { keyState, keyTones } from './key-state.ts';
import { useCreatorName } from './use-creator-name.ts';

/** All facts about a key; no one can see the key itself again. */
export const KeyDetails = ({
  apiKey,
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}) => {
  useReturnFocus();
  const words = useWords(apiKeysWords);
  const rights = useWords(rightsWords);
  const format = useFormat();
  const can = useCan();
  const creatorName = useCreatorName();
  const [isRevoking, setIsRevoking] = useState(false);
  const revoke = useChange(apiKeysHttp.revoke, [apiKeysHttp.list]);
  const { id, name, permissions, serverIds, createdAt, expiresAt } = apiKey;
  const servers = useRead(
    gameServersHttp.list,
    { query: { archived: 'true' } },
    { enabled: serverIds !== null && can.somewhere('servers.read') },
  );
  const serverName = (serverId: string) =>
    servers.data?.rows.find((server) => server.id === serverId)?.name ?? words.goneServer;
  const state = keyState(apiKey, serverNowMs());

  if (isRevoking)
    return (
      <ConfirmAction
        title={words.revokeQuestion(name)}
        act={words.revoke}
        onAction={() => revoke.mutateAsync({ params: { id } })}
        doneText={words.revoked(name)}
        onClose={onClose}
      >
        {words.revokeText}
      </ConfirmAction>
    );
  return (
    <Modal opened onClose={onClose} title={<bdi>{name}</bdi>} size="lg">
      <Stack gap="sm">
        <Group gap="md">
          <StateLabel tone={keyTones[state]}>{words[state]}</StateLabel>
          <span>
            {words.expires}: <TimeAgo at={expiresAt} /> ({format.date(expiresAt)})
          </span>
        </Group>
        <Text>
          {words.creator}: <bdi>{creatorName(apiKey)}</bdi>, <TimeAgo at={createdAt} />
        </Text>
        <section aria-label={words.rights}>
          <Text fw={600}>{words.rights}</Text>
          <List size="sm">
            {permissions.map((permission) => (
              <List.Item key={permission}>{rights.permissions[permission]}</List.Item>
            ))}
          </List>
        </section>
        <section aria-label={words.servers}>
          <Text fw={600}>{words.servers}</Text>
          {serverIds === null ? (
            <Text size="sm">{words.allServers}</Text>
          ) : (
            <List size="sm">
              {serverIds.map((serverId) => (
                <List.Item key={serverId}>
                  <bdi>{serverName(serverId)}</bdi>
                </List.Item>
              ))}
            </List>
          )}
        </section>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {words.close}
          </Button>
          {can('api-keys.write') && (
            <Button color="red.8" onClick={() => setIsRevoking(true)}>
              {words.revoke}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
};
