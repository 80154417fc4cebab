import { Alert, Button, Code, Group, Loader, Stack, Switch, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { DesktopOutput } from '#contracts/desktop/desktop.ts';
import type { PortsReport } from '#contracts/desktop/desktop-first-run.ts';
import type { NetworkNews, NetworkState } from '#contracts/desktop/desktop-network.ts';
import { callDesktop, onDesktop } from '../../../kit/api/desktop-bridge.ts';
import { Card } from '../../../kit/design/card.tsx';
import { CopyButton } from '../../../kit/design/copy-button.tsx';
import { StateLabel } from '../../../kit/design/state-label.tsx';
import { useWords } from '../../../kit/language/use-words.ts';
import { ActionFailed } from '../../action-failed.tsx';
import { useDesktopAction } from '../../use-desktop-action.ts';
import { FailureAlert } from '../desktop-actions/failure-alert.tsx';
import { addressesWords } from '../diagnostics-parts/addresses.words.ts';
import { AddressesTest } from '../diagnostics-parts/addresses-test.tsx';
import { firstRunWords } from './first-run.words.ts';
import { networkWords } from './network.words.ts';
import { PortField } from './port-field.tsx';
import { ProxyForm } from './proxy-form.tsx';

const News = ({ news: { outcome, detail } }: { readonly news: NetworkNews }) => {
  const words = useWords(networkWords);
  if (outcome !== 'done')
    return (
      <FailureAlert title={words.news[outcome]} detail={detail}>
        {null}
      </FailureAlert>
    );
  return (
    <Alert color="var(--tone-ok)" variant="outline" role="status">
      <Text>{words.news.done}</Text>
    </Alert>
  );
};

/** Where other machines reach it now. */
const Urls = ({ state: { apiUrls, adapters, hasTls } }: { readonly state: NetworkState }) => {
  const words = useWords(networkWords);
  const { network } = useWords(firstRunWords);
  return (
    <Stack gap="xs">
      <Text>{hasTls ? words.tls : network.openRisk}</Text>
      <Text>{apiUrls.length > 0 ? words.urls : words.noUrls}</Text>
      {apiUrls.map((url) => (
        <Group key={url} gap="xs" wrap="nowrap">
          <Code>{url}</Code>
          <CopyButton value={url} />
          {adapters[url] !== undefined && <Text size="sm">{adapters[url]}</Text>}
        </Group>
      ))}
    </Stack>
  );
};

/** The ports, and who may reach them. */
const NetworkForm = ({
  state,
  onState,
}: {
  readonly state: NetworkState;
  readonly onState: (state: NetworkState) => void;
}) => {
  const words = useWords(networkWords);
  const { network } = useWords(firstRunWords);
  const act = useDesktopAction();
  const [wanted, setWanted] = useState({
    apiPort: state.apiPort,
    postgresPort: state.postgresPort,
    isOpen: state.isOpen,
  });
  const [report, setReport] = useState<PortsReport | null>(null);
  const isChanging = act.isActing || state.isChanging;
  const change = (what: Partial<typeof wanted>) => {
    setReport(null);
    setWanted((before) => ({ ...before, ...what }));
  };
  const isSame =
    wanted.apiPort === state.apiPort &&
    wanted.postgresPort === state.postgresPort &&
    wanted.isOpen === state.isOpen;
  const save = () =>
    act.run(async () => {
      const found = await callDesktop('network.check', wanted);
      setReport(found);
      if (found.api.state !== 'free' || found.postgres.state !== 'free') return;
      const changed = await callDesktop('network.change', wanted);
      onState(changed);
      const { apiPort, postgresPort, isOpen } = changed;
      setWanted({ apiPort, postgresPort, isOpen });
    });
  return (
    <Card title={words.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSame) void save();
        }}
      >
        <Stack gap="sm">
          {state.news && !isChanging && <News news={state.news} />}
          <Text>{words.text}</Text>
          <PortField
            label={network.apiPort}
            port={wanted.apiPort}
            report={report?.api}
            onPort={(apiPort) => change({ apiPort })}
            isReadOnly={isChanging}
          />
          <PortField
            label={network.postgresPort}
            port={wanted.postgresPort}
            report={report?.postgres}
            onPort={(postgresPort) => change({ postgresPort })}
            isReadOnly={isChanging}
          />
          <Switch
            label={network.open}
            description={state.ownHost === null ? network.openText : words.ownHost(state.ownHost)}
            checked={wanted.isOpen}
            disabled={isChanging}
            onChange={({ currentTarget }) => change({ isOpen: currentTarget.checked })}
          />
          {wanted.isOpen && !state.isOpen && <Text>{network.openRisk}</Text>}
          {wanted.isOpen && !state.isOpen && state.firewall !== null && (
            <Text c="dimmed">{words.firewallAsks}</Text>
          )}
          {state.isOpen && wanted.isOpen && <Urls state={state} />}
          {act.error !== null && <ActionFailed error={act.error} />}
          <div role="status">{isChanging && words.saving}</div>
          <Group>
            <Button type="submit" loading={isChanging} disabled={isSame}>
              {words.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
};

const firewallTones = { open: 'ok', closed: 'idle', missing: 'bad', left: 'warn', blocked: 'bad' } as const;

/** Whether Windows lets other machines through, and a button that makes it do so. */
const FirewallCard = ({
  state,
  onState,
}: {
  readonly state: NetworkState;
  readonly onState: (state: NetworkState) => void;
}) => {
  const words = useWords(networkWords);
  const act = useDesktopAction();
  const [answer, setAnswer] = useState<DesktopOutput<'network.mendFirewall'>['outcome'] | null>(null);
  const firewall = state.firewall ?? 'closed';
  const mend = () =>
    act.run(async () => {
      const mended = await callDesktop('network.mendFirewall', undefined);
      setAnswer(mended.outcome);
      onState(mended.state);
    });
  const byHand = answer === 'impossible' || answer === 'failed' ? state.firewallCommand : null;
  return (
    <Card title={words.firewall}>
      <StateLabel tone={firewallTones[firewall]}>{words.firewallIs[firewall]}</StateLabel>
      {state.firewallFaults.map(({ kind, profile, names }) => (
        <Text key={`${kind} ${profile}`} size="sm">
          {words.firewallFaults[kind](names.join(', '), profile === null ? '' : words.profiles[profile])}
        </Text>
      ))}
      {act.error !== null && <ActionFailed error={act.error} />}
      <Text role="status">{answer !== null && answer !== 'done' && words.firewallAnswer[answer]}</Text>
      {byHand !== null && (
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {byHand}
          </Code>
          <CopyButton value={byHand} />
        </Group>
      )}
      {(firewall === 'missing' || firewall === 'left') && (
        <Stack gap={4} align="flex-start">
          <Button variant="default" onClick={mend} loading={act.isActing}>
            {firewall === 'missing' ? words.addRule : words.removeRule}
          </Button>
          <Text size="sm" c="dimmed">
            {words.firewallAsks}
          </Text>
        </Stack>
      )}
    </Card>
  );
};

/** How Castellan is reached, and how it reaches others. */
export const Section = () => {
  const words = useWords(networkWords);
  const addresses = useWords(addressesWords);
  const { error, run } = useDesktopAction();
  const [network, setNetwork] = useState<NetworkState | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the section appears
  useEffect(() => {
    const leave = onDesktop('network.changed', setNetwork);
    void run(async () => setNetwork(await callDesktop('network.state', undefined)));
    return leave;
  }, []);
  if (network === null)
    return (
      <Card title={words.title}>
        {error === null ? <Loader role="status" /> : <ActionFailed error={error} />}
      </Card>
    );
  if (network.isService)
    return (
      <Stack>
        <Card title={words.title}>
          <Text>{words.service}</Text>
        </Card>
        <Card title={addresses.title}>
          <AddressesTest isService />
        </Card>
      </Stack>
    );
  return (
    <Stack>
      <NetworkForm state={network} onState={setNetwork} />
      {network.firewall !== null && <FirewallCard state={network} onState={setNetwork} />}
      <Card title={words.license}>
        <Text>{words.licenseText}</Text>
        <ProxyForm isNeeded={false} />
      </Card>
      <Card title={addresses.title}>
        <AddressesTest isService={false} />
      </Card>
    </Stack>
  );
};
