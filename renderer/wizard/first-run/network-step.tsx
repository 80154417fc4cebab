import { Button, Code, Group, Stack, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { PortsReport } from '#contracts/desktop-first-run.ts';
import { CopyButton } from '../../design/copy-button.tsx';
import { callDesktop } from '../../desktop/desktop-bridge.ts';
import { useWords } from '../../language/use-words.ts';
import { ActionFailed } from '../action-failed.tsx';
import { useDesktopAction } from '../use-desktop-action.ts';
import { firstRunWords } from './first-run.words.ts';
import { PortField } from './port-field.tsx';
import type { StepProps } from './step-props.ts';

/** The ports, and who may reach them. */
export const NetworkStep = ({ state, draft, keep }: StepProps) => {
  const words = useWords(firstRunWords);
  const { network } = words;
  const act = useDesktopAction();
  const [report, setReport] = useState<PortsReport | null>(null);
  const { apiPort, postgresPort, isOpen } = draft;
  /** What was found holds for what was looked at alone. */
  const change = (what: Parameters<typeof keep>[0]) => {
    setReport(null);
    keep(what);
  };
  const next = () =>
    act.run(async () => {
      const found = await callDesktop('firstRun.checkPorts', { apiPort, postgresPort, isOpen });
      setReport(found);
      const isFine = found.api.state === 'free' && found.postgres.state === 'free';
      // What Windows will ask is read once, before it goes on.
      const isNews = found.asksForFirewall && report?.asksForFirewall !== true;
      if (isFine && !isNews) keep({ step: 'discord' });
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void next();
      }}
    >
      <Stack>
        <Title order={2}>{network.title}</Title>
        <Text>{network.text}</Text>
        <PortField
          label={network.apiPort}
          port={apiPort}
          report={report?.api}
          onPort={(port) => change({ apiPort: port })}
        />
        <PortField
          label={network.postgresPort}
          port={postgresPort}
          report={report?.postgres}
          onPort={(port) => change({ postgresPort: port })}
        />
        <Switch
          label={network.open}
          description={network.openText}
          checked={isOpen}
          onChange={({ currentTarget }) => change({ isOpen: currentTarget.checked })}
        />
        {isOpen && (
          <Stack gap="xs">
            <Text>{network.openRisk}</Text>
            {state.addresses.length > 0 && <Text>{network.openAddresses}</Text>}
            {state.addresses.map((address) => (
              <Group key={address} gap="xs" wrap="nowrap">
                <Code>{`http://${address}:${apiPort}`}</Code>
                <CopyButton value={`http://${address}:${apiPort}`} />
              </Group>
            ))}
          </Stack>
        )}
        <div role="status">{report?.asksForFirewall && <Text>{network.firewall}</Text>}</div>
        {act.error !== null && <ActionFailed error={act.error} />}
        <Button type="submit" loading={act.isActing}>
          {words.next}
        </Button>
        <Button variant="subtle" onClick={() => keep({ step: 'folder' })}>
          {words.back}
        </Button>
      </Stack>
    </form>
  );
};
