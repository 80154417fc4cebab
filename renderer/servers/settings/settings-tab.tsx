import { Alert, Button, Code, Group, List, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { type ChatTrial, chatFormsHttp, type ServerChat } from '#contracts/servers/chat-forms.ts';
import { type GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { pollMs, useChange, useRead } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { ConfirmAction } from '../../kit/design/confirm-action.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { Together } from '../../kit/design/together.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { serversWords } from '../game-servers/servers.words.ts';
import { chatFormsWords } from './chat-forms.words.ts';
import { ChatTrustCard } from './chat-trust-card.tsx';
import { ServerForm } from './server-form.tsx';
import { settingsWords } from './settings.words.ts';

/** In which forms the chat of a server is read: chosen by its owner, tried on the last lines, never guessed. */
const ChatFormsCard = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(chatFormsWords);
  const { data, error } = useRead(chatFormsHttp.list, {}, { everyMs: pollMs.usual });
  const chat = data?.rows.find(({ serverId }) => serverId === server.id);
  if (error) return <Trouble error={error} />;
  if (chat === undefined) return null;
  const unread = chat.unread !== null && chat.unread.count > 0 && (
    <Alert color="var(--tone-warn)" variant="outline" title={words.unread(chat.unread.count)}>
      {chat.unread.example !== null && (
        <>
          {words.last} <Code>{chat.unread.example}</Code>
        </>
      )}
    </Alert>
  );
  if (!chat.takesForms) return unread === false ? null : <Card title={words.title}>{unread}</Card>;
  return (
    <Card title={words.title}>
      <Text>{words.about}</Text>
      {chat.heardAt === null && <Text fw={600}>{words.never}</Text>}
      {unread}
      {chat.forms.length > 0 && chat.isRead !== true && <Text>{words.oldAgent}</Text>}
      <Text>{words.grammar}</Text>
      <Text c="dimmed">{words.limits}</Text>
      <FormsEditor key={chat.version} server={server} chat={chat} />
    </Card>
  );
};

const linesOf = (typed: string): string[] =>
  typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const FormsEditor = ({ server, chat }: { readonly server: GameServer; readonly chat: ServerChat }) => {
  const words = useWords(chatFormsWords);
  const can = useCan();
  const [typed, setTyped] = useState(chat.forms.join('\n'));
  const set = useChange(chatFormsHttp.set, [chatFormsHttp.list]);
  const trial = useChange(chatFormsHttp.trial, []);
  const params = { id: server.id };
  const forms = linesOf(typed);
  const mayChange = can('servers.write', server.id);
  return (
    <>
      <Textarea
        label={words.forms}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        readOnly={!mayChange}
        autosize
        minRows={2}
      />
      {set.error && <Trouble error={set.error} />}
      {trial.error && <Trouble error={trial.error} />}
      <Group>
        {can('console.read', server.id) && (
          <Button
            variant="default"
            loading={trial.isPending}
            onClick={() => trial.mutate({ params, body: { forms } })}
          >
            {words.test}
          </Button>
        )}
        {mayChange && (
          <Button
            loading={set.isPending}
            onClick={() => set.mutate({ params, body: { version: chat.version, forms } })}
          >
            {words.save}
          </Button>
        )}
      </Group>
      {trial.data && (
        <TrialResult trial={trial.data} onUse={(form) => setTyped([...forms, form].join('\n'))} />
      )}
    </>
  );
};

const TrialResult = ({
  trial,
  onUse,
}: {
  readonly trial: ChatTrial;
  readonly onUse: (form: string) => void;
}) => {
  const words = useWords(chatFormsWords);
  return (
    <>
      {trial.proposals.length > 0 && <Text fw={600}>{words.proposals}</Text>}
      {trial.proposals.map(({ form, count, example }) => (
        <Group key={form}>
          <Button variant="default" size="compact-sm" onClick={() => onUse(form)}>
            {words.use}
          </Button>
          <Code>{form}</Code>
          <Text size="sm" c="dimmed">
            {count} · {example}
          </Text>
        </Group>
      ))}
      <Text fw={600}>{words.lines}</Text>
      {trial.lines.length === 0 && <Text>{words.noLines}</Text>}
      <List>
        {trial.lines.map(({ line, name, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be equal, and the list never changes
          <List.Item key={`${index} ${line}`}>
            <Text fw={600} span>
              {name === null ? words.unreadLine : `${name}: ${text}`}
            </Text>{' '}
            <Code>{line}</Code>
          </List.Item>
        ))}
      </List>
    </>
  );
};

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
