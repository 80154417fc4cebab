import { Loader, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { NetworkState } from '#contracts/desktop-network.ts';
import { Card } from '../../../design/card.tsx';
import { callDesktop, onDesktop } from '../../../desktop/desktop-bridge.ts';
import { useWords } from '../../../language/use-words.ts';
import { ActionFailed } from '../../../wizard/action-failed.tsx';
import { ProxyForm } from '../../../wizard/license/proxy-form.tsx';
import { useDesktopAction } from '../../../wizard/use-desktop-action.ts';
import { FirewallCard } from './firewall-card.tsx';
import { networkWords } from './network.words.ts';
import { NetworkForm } from './network-form.tsx';

/** How Castellan is reached, and how it reaches others. */
export const Section = () => {
  const words = useWords(networkWords);
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
      <Card title={words.title}>
        <Text>{words.service}</Text>
      </Card>
    );
  return (
    <Stack>
      <NetworkForm state={network} onState={setNetwork} />
      {network.firewall !== null && <FirewallCard state={network} onState={setNetwork} />}
      <Card title={words.license}>
        <Text>{words.licenseText}</Text>
        <ProxyForm isNeeded={false} />
      </Card>
    </Stack>
  );
};
