import { Alert, Button, Code, Group, List, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Agent } from '#contracts/servers/agents.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { isApiAddress } from '../../kit/api/own-address.ts';
import { usePublicAddress } from '../../kit/community/use-public-address.ts';
import { CopyButton } from '../../kit/design/copy-button.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { saveFile } from '../../kit/design/save-file.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { useLiveServers } from '../use-live-servers.ts';
import { agentConfig, checkCommand, configCommand, isLoopbackAddress, startCommand } from './agent-config.ts';
import { agentState, agentTones } from './agent-state.ts';
import { agentsWords } from './agents.words.ts';

/** A command to copy into a terminal. */
const CommandLine = ({ command }: { readonly command: string }) => {
  const words = useWords(agentsWords);
  return (
    <Group gap="xs" wrap="nowrap">
      <Code dir="ltr">{command}</Code>
      <CopyButton value={command} label={words.copyCommand} />
    </Group>
  );
};

const secretName = 'GAME_AGENT_SECRET';

/** Two ways to the agent's config.json: the whole file by a command, or a template without secrets. */
const AgentConfigStep = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(agentsWords);
  const { config } = words.steps;
  const [apiUrl, setApiUrl] = useState(usePublicAddress());
  const address = apiUrl.trim();
  const template = agentConfig({
    server,
    apiUrl: address,
    secret: words.secretHere,
    password: words.passwordHere,
  });
  return (
    <Stack gap="sm">
      <TextInput
        label={config.api}
        value={apiUrl}
        onChange={({ currentTarget }) => setApiUrl(currentTarget.value)}
        error={!isApiAddress(address) && config.apiFault}
        inputMode="url"
        maxLength={300}
        maw="30rem"
      />
      {isLoopbackAddress(address) && (
        <Alert color="yellow" variant="outline" icon={<IconAlertTriangle aria-hidden />} role="status">
          {config.apiLoopback}
        </Alert>
      )}
      <Text>{config.whole}</Text>
      <CommandLine command={configCommand(server, address)} />
      <Text>{config.template}</Text>
      <List>
        <List.Item>{config.secret(secretName)}</List.Item>
        <List.Item>{config.password}</List.Item>
      </List>
      <Code block dir="ltr" role="region" aria-label={config.templateName} tabIndex={0}>
        {template}
      </Code>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          disabled={!isApiAddress(address)}
          onClick={() => saveFile(template, 'config.json', 'application/json')}
        >
          {config.download}
        </Button>
        <CopyButton value={template} label={config.copy} />
      </Group>
    </Stack>
  );
};

/** From nothing to a connected agent; ends with the result, live. */
export const AgentSetUp = ({ agent }: { readonly agent: Agent }) => {
  const words = useWords(agentsWords);
  const { program, config, check, start } = words.steps;
  const server = useLiveServers().data?.rows.find(({ id }) => id === agent.serverId);
  const state = agentState(agent);
  return (
    <Stack gap="lg">
      <Step number={1} title={program.title}>
        <Text>{program.text}</Text>
      </Step>
      <Step number={2} title={config.title}>
        {server && <AgentConfigStep server={server} />}
      </Step>
      <Step number={3} title={check.title}>
        <Text>{check.text}</Text>
        <CommandLine command={checkCommand} />
      </Step>
      <Step number={4} title={start.title}>
        <Text>{start.text}</Text>
        <CommandLine command={startCommand} />
      </Step>
      <div role="status">
        {state === 'connected' && (
          <Group gap="sm">
            <StateLabel tone="ok">{words.connectedNow}</StateLabel>
            <PanelLink to={`/servers/${encodeURIComponent(agent.serverId)}`}>{words.toServer}</PanelLink>
          </Group>
        )}
        {state === 'refused' && (
          <StateLabel tone={agentTones.refused}>
            {words.states.refused}. {words.stateTexts.refused}
          </StateLabel>
        )}
        {state !== 'connected' && state !== 'refused' && (
          <StateLabel tone="busy">{words.waitingForIt}</StateLabel>
        )}
      </div>
    </Stack>
  );
};

const Step = ({
  number,
  title,
  children,
}: {
  readonly number: number;
  readonly title: string;
  readonly children: ReactNode;
}) => (
  <Stack gap="xs">
    <Title order={3}>
      {number}. {title}
    </Title>
    {children}
  </Stack>
);
