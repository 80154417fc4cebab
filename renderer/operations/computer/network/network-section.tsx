import { Button, Code, Group, Loader, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { DesktopOutput } from '#contracts/desktop/desktop.ts';
import type { NetworkState } from '#contracts/desktop/desktop-network.ts';
import { callDesktop, onDesktop } from '../../../kit/api/desktop-bridge.ts';
import { Card } from '../../../kit/design/card.tsx';
import { CopyButton } from '../../../kit/design/copy-button.tsx';
import { StateLabel } from '../../../kit/design/state-label.tsx';
import { useWords } from '../../../kit/language/use-words.ts';
import { ActionFailed } from '../../action-failed.tsx';
import { useDesktopAction } from '../../use-desktop-action.ts';
import { addressesWords } from '../diagnostics-parts/addresses.words.ts';
import { AddressesTest } from '../diagnostics-parts/addresses-test.tsx';
import { networkWords } from './network.words.ts';
import { NetworkForm } from './network-form.tsx';
import { ProxyForm } from './proxy-form.tsx';

interface FirewallCardProps {
  readonly state: NetworkState;
  readonly onState: (state: NetworkState) => void;
}

const firewallTones = { open: 'ok', closed: 'idle', missing: 'bad', left: 'warn', blocked: 'bad' } as const;

/** Whether Windows lets other machines through, and a button that makes it do so. */
const FirewallCard = ({ state, onState }: FirewallCardProps) => {
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
