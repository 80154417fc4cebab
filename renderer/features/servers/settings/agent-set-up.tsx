import { Alert, Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { GameServer } from '#contracts/game-servers.ts';
import { CopyButton } from '../../../design/copy-button.tsx';
import { designWords } from '../../../design/design.words.ts';
import { StateLabel } from '../../../design/state-label.tsx';
import { useWords } from '../../../language/use-words.ts';
import { saveFile } from '../save-file.ts';
import { agentTemplate, asArgument, isLoopback } from './agent-template.ts';
import { settingsWords } from './settings.words.ts';

const checkCommand = 'node agent.mjs --config config.json --check';
const startCommand = 'node agent.mjs --config config.json';

export interface AgentSetUpProps {
  readonly server: GameServer;
  readonly isConnected: boolean;
}

/** How to set up the agent of a server. The secret itself is never shown: the panel does not know it. */
export const AgentSetUp = ({ server, isConnected }: AgentSetUpProps) => {
  const words = useWords(settingsWords).agent;
  const general = useWords(designWords);
  const clipboard = useClipboard({ timeout: 1500 });
  const apiUrl = location.origin;
  const template = agentTemplate({
    server,
    apiUrl,
    secret: words.secretPlaceholder,
    password: words.passwordPlaceholder,
  });
  return (
    <Stack gap="sm">
      <Title order={3}>{words.setUp}</Title>
      <Text>{words.setUpText}</Text>
      {isLoopback(apiUrl) && (
        <Alert color="var(--tone-warn)" variant="outline">
          {words.loopback}
        </Alert>
      )}
      <Code block tabIndex={0} role="region" aria-label="config.json">
        {template}
      </Code>
      <Group gap="xs">
        <Button variant="default" onClick={() => clipboard.copy(template)}>
          {clipboard.copied ? general.copied : words.copy}
        </Button>
        <Button variant="default" onClick={() => saveFile(template, 'config.json', 'application/json')}>
          {words.download}
        </Button>
      </Group>
      {clipboard.error && <Text size="sm">{general.cannotCopy}</Text>}
      <Text>{words.secretText}</Text>
      <Command label={words.copyCommand}>{`castellan agent config ${asArgument(server)}`}</Command>
      <Text>{words.run}</Text>
      <Command label={words.copyCommand}>{checkCommand}</Command>
      <Command label={words.copyCommand}>{startCommand}</Command>
      <div role="status">
        <StateLabel tone={isConnected ? 'ok' : 'busy'}>
          {isConnected ? words.isThere : words.waitingForIt}
        </StateLabel>
      </div>
    </Stack>
  );
};

const Command = ({ children, label }: { readonly children: string; readonly label: string }): ReactNode => (
  <Group gap="xs" wrap="nowrap">
    <Code>{children}</Code>
    <CopyButton value={children} label={label} />
  </Group>
);
