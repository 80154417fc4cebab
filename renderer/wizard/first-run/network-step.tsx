import { Button, Code, Group, NumberInput, Stack, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { PortReport, PortsReport } from '#contracts/desktop-first-run.ts';
import { CopyButton } from '../../design/copy-button.tsx';
import { callDesktop } from '../../desktop/desktop-bridge.ts';
import type { Language } from '../../language/define-words.ts';
import { useWords } from '../../language/use-words.ts';
import { ActFailed } from '../act-failed.tsx';
import { useDesktopAct } from '../use-desktop-act.ts';
import classes from '../wizard.module.css';
import { firstRunWords } from './first-run.words.ts';
import type { StepProps } from './step-props.ts';

type Words = (typeof firstRunWords)[Language]['network'];

/** Null when the port can be had. */
const faultOf = ({ port, state, owner }: PortReport, words: Words): string | null => {
  switch (state) {
    case 'free':
      return null;
    case 'taken':
      return owner ? words.taken(port, `${owner.name} (${owner.pid})`) : words.takenUnknown(port);
    case 'forbidden':
      return words.forbidden(port);
    case 'twice':
      return words.twice;
  }
};

interface PortFieldProps {
  readonly label: string;
  readonly port: number;
  readonly report: PortReport | undefined;
  readonly onPort: (port: number) => void;
}

const PortField = ({ label, port, report, onPort }: PortFieldProps) => {
  const { network } = useWords(firstRunWords);
  const isAboutThis = report !== undefined && report.port === port;
  const free = isAboutThis && report.state !== 'free' ? report.free : null;
  return (
    <Stack gap={4}>
      <NumberInput
        label={label}
        value={port}
        onChange={(value) => typeof value === 'number' && onPort(value)}
        min={1}
        max={65_535}
        clampBehavior="strict"
        allowDecimal={false}
        allowNegative={false}
        hideControls
        error={isAboutThis && faultOf(report, network)}
        required
      />
      {free !== null && (
        <Group>
          <Button size="xs" variant="default" onClick={() => onPort(free)}>
            {network.freeInstead(free)}
          </Button>
        </Group>
      )}
    </Stack>
  );
};

/** The ports, and who may reach them. */
export const NetworkStep = ({ state, draft, keep }: StepProps) => {
  const words = useWords(firstRunWords);
  const { network } = words;
  const act = useDesktopAct();
  const [report, setReport] = useState<PortsReport | null>(null);
  const { apiPort, postgresPort, isOpen } = draft;
  /** What was found holds for what was looked at alone, the firewall's command above all. */
  const change = (what: Parameters<typeof keep>[0]) => {
    setReport(null);
    keep(what);
  };
  const next = () =>
    act.run(async () => {
      const found = await callDesktop('firstRun.checkPorts', { apiPort, postgresPort, isOpen });
      setReport(found);
      const isFine = found.api.state === 'free' && found.postgres.state === 'free';
      // The command is read once, before it goes on.
      const isNews = found.firewallCommand !== null && report?.firewallCommand !== found.firewallCommand;
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
        {report?.firewallCommand && (
          <Stack gap="xs">
            <Text>{network.firewall}</Text>
            <Group gap="xs" wrap="nowrap" align="flex-start">
              <Code block className={classes.long}>
                {report.firewallCommand}
              </Code>
              <CopyButton value={report.firewallCommand} />
            </Group>
          </Stack>
        )}
        {act.error !== null && <ActFailed error={act.error} />}
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
