import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { type GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { Together } from '../../kit/design/together.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { serversWords } from '../servers.words.ts';
import { ChatFormsCard } from './chat-forms-card.tsx';
import { ChatTrustCard } from './chat-trust-card.tsx';
import { ServerForm } from './server-form.tsx';
import { settingsWords } from './settings.words.ts';

const changed = [gameServersHttp.read, gameServersHttp.list] as const;

export const SettingsTab = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(settingsWords);
  const can = useCan();
  const mayChange = can('servers.write', server.id);
  return (
    <Together>
      {mayChange && (
        <Card title={words.server}>
          {server.archivedAt ? (
            <Text c="dimmed">{words.archivedFields}</Text>
          ) : (
            <ServerForm server={server} />
          )}
        </Card>
      )}
      {!server.archivedAt && (
        <Card
          title={words.agent.title}
          actions={<PanelLink to={`/agents/${encodeURIComponent(server.id)}`}>{words.agent.open}</PanelLink>}
        >
          <Text>{words.agent.text}</Text>
        </Card>
      )}
      {!server.archivedAt && <ChatFormsCard server={server} />}
      {!server.archivedAt && can('members.read') && <ChatTrustCard server={server} />}
      {mayChange && <ArchiveCard server={server} />}
    </Together>
  );
};

const ArchiveCard = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(settingsWords).archive;
  const { archive: archiveWord } = useWords(serversWords);
  const [isAsking, setIsAsking] = useState(false);
  const archive = useChange(gameServersHttp.archive, changed);
  const restore = useChange(gameServersHttp.restore, changed);
  const params = { id: server.id };
  return (
    <Card title={words.title}>
      <Text>{server.archivedAt ? words.restoreText : words.text}</Text>
      {restore.error && <Trouble error={restore.error} />}
      <Group>
        {server.archivedAt ? (
          <Button variant="default" loading={restore.isPending} onClick={() => restore.mutate({ params })}>
            {words.restore}
          </Button>
        ) : (
          <Button variant="default" onClick={() => setIsAsking(true)}>
            {words.act}
          </Button>
        )}
      </Group>
      {isAsking && (
        <ConfirmAction
          title={words.question(server.name)}
          act={archiveWord}
          onAction={() => archive.mutateAsync({ params })}
          onClose={() => setIsAsking(false)}
        >
          {words.text}
        </ConfirmAction>
      )}
    </Card>
  );
};
