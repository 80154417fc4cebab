import { List, PasswordInput, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Cluster } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { type GameId, gameId, gameIds, games } from '#contracts/servers/games.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { useFieldErrors } from '../../kit/forms/field-errors.ts';
import { LooseEndsHint } from '../../kit/forms/loose-ends-hint.tsx';
import { NumberInput } from '../../kit/forms/number-input.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { firstStepsWords } from './first-steps.words.ts';
import type { StepBodyProps } from './onboarding-status.ts';
import { StepForm } from './step-form.tsx';

const mostPort = 65_535;

const ServerForm = ({ clusters }: { readonly clusters: readonly Cluster[] }) => {
  const { server: words } = useWords(firstStepsWords);
  const [name, setName] = useState('');
  const [clusterId, setClusterId] = useState(clusters[0]?.id ?? '');
  const [game, setGame] = useState<GameId>('minecraft');
  const [isAgentOnly, setIsAgentOnly] = useState(false);
  const [host, setHost] = useState('127.0.0.1');
  /** Null: the game's own default, until another is typed. */
  const [port, setPort] = useState<number | string | null>(null);
  const [password, setPassword] = useState('');
  const create = useChange(gameServersHttp.create, [gameServersHttp.list]);

  const send = () => {
    const reach = isAgentOnly ? { host: null } : { host, password };
    create.mutate({
      body: { clusterId, name, game, port: Number(port ?? games[game].defaultPort), ...reach },
    });
  };

  const errorOf = useFieldErrors(create.error);
  return (
    <StepForm act={words.add} isActing={create.isPending} error={create.error} onSubmit={send}>
      <TextInput
        label={words.name}
        error={errorOf('name')}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        required
        maxLength={80}
      />
      {clusters.length > 1 && (
        <Select
          label={words.cluster}
          data={clusters.map(({ id, name: label }) => ({ value: id, label }))}
          value={clusterId}
          onChange={(value) => setClusterId(value ?? clusterId)}
          allowDeselect={false}
        />
      )}
      <Select
        label={words.game}
        data={gameIds.map((id) => ({ value: id, label: games[id].name }))}
        value={game}
        onChange={(value) => setGame(gameId.catch(game).parse(value))}
        allowDeselect={false}
      />
      <Switch
        label={words.agentOnly}
        {...(isAgentOnly && { description: words.agentOnlyHelp })}
        checked={isAgentOnly}
        onChange={({ currentTarget }) => setIsAgentOnly(currentTarget.checked)}
      />
      {!isAgentOnly && (
        <TextInput
          label={words.host}
          error={errorOf('host')}
          description={words.hostHelp}
          value={host}
          onChange={({ currentTarget }) => setHost(currentTarget.value)}
          required
          maxLength={253}
        />
      )}
      <NumberInput
        label={words.port}
        error={errorOf('port')}
        value={port ?? games[game].defaultPort}
        onChange={setPort}
        min={1}
        max={mostPort}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        required
      />
      {!isAgentOnly && (
        <div>
          <PasswordInput
            label={words.password}
            description={words.passwordHelp}
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            autoComplete="off"
            maxLength={200}
          />
          <LooseEndsHint text={password} />
        </div>
      )}
    </StepForm>
  );
};

/** The number of servers named. */
const few = 3;

export const ServerStep = ({ status: { clusters = [], servers = [] } }: StepBodyProps) => {
  const { server: words, notAllowed } = useWords(firstStepsWords);
  const can = useCan();
  if (servers.length > 0)
    return (
      <Stack gap="xs">
        <List>
          {servers.slice(0, few).map(({ id, name, game }) => (
            <List.Item key={id}>
              <bdi>{name}</bdi>, {games[game].name}
            </List.Item>
          ))}
        </List>
        <PanelLink to="/servers">{words.to}</PanelLink>
      </Stack>
    );
  return (
    <Stack gap="sm">
      <Text>{words.text}</Text>
      {!can('servers.write') && <Text>{notAllowed}</Text>}
      {can('servers.write') && clusters.length === 0 && <Text>{words.first}</Text>}
      {can('servers.write') && clusters.length > 0 && <ServerForm clusters={clusters} />}
    </Stack>
  );
};
