import { Alert, Button, Code, Group, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { EndpointResponse } from '#contracts/kernel/http.ts';
import { agentDownloadsHttp } from '#contracts/servers/agent-downloads.ts';
import { type Enrolment, enrolmentMinutes, enrolmentsHttp } from '#contracts/servers/agent-enrolment.ts';
import { type Agent, agentsHttp } from '#contracts/servers/agents.ts';
import { desktopBridge } from '../../kit/api/desktop-bridge.ts';
import { useLive, useLiveState } from '../../kit/api/live.ts';
import { isApiAddress, ownAddress } from '../../kit/api/own-address.ts';
import { pollMs, queryClient, readKey, useChange, useRead } from '../../kit/api/queries.ts';
import { useCommunity } from '../../kit/community/community-state.ts';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { isLoopbackAddress } from './agent-config.ts';
import { enrolWords } from './enrol.words.ts';
import { powerShellLine, shellLine } from './enrol-line.ts';
import { EnrolSteps } from './enrol-steps.tsx';
import { TimeLeft } from './time-left.tsx';

const liveEveryMs = 15_000;
/** The newest enrolment of a server, read again as soon as anything in it changes. */
const useLiveEnrolment = (serverId: string): UseQueryResult<{ readonly enrolment: Enrolment | null }> => {
  const input = { params: { serverId } };
  const everyMs = useLiveState() === 'live' ? liveEveryMs : pollMs.live;
  const read = useRead(enrolmentsHttp.read, input, { everyMs });
  useLive({ topic: 'enrolments' }, (message) => {
    if (message.type !== 'enrolments') return;
    if (message.serverIds.length === 0 || message.serverIds.includes(serverId))
      void queryClient.invalidateQueries({ queryKey: readKey(enrolmentsHttp.read, input) });
  });
  return read;
};

type Downloads = EndpointResponse<typeof agentDownloadsHttp.list>;

/** The code that the API shows once; this page keeps it while it is open. */
interface Made {
  readonly enrolment: Enrolment;
  readonly code: string;
  /** By this page's clock, which may be wrong. */
  readonly endsAtMs: number;
}

const systems = ['linux', 'windows'] as const;
type System = (typeof systems)[number];

/** A checkout builds the programs while it runs. */
const whileMissingMs = 5000;

/** From nothing to a connected agent by one line that is pasted on the game's machine. */
export const EnrolAgent = ({ agent }: { readonly agent: Agent }) => {
  const [isMissing, setIsMissing] = useState(true);
  const downloads = useRead(
    agentDownloadsHttp.list,
    {},
    { ...(isMissing ? { everyMs: whileMissingMs } : {}) },
  );
  const found = downloads.data?.files.filter(({ system }) => system !== 'node').length ?? 0;
  if (isMissing && found === systems.length) setIsMissing(false);
  return (
    <AsyncContent read={downloads}>
      {(offered) => <EnrolByLine agent={agent} downloads={offered} />}
    </AsyncContent>
  );
};

/** The address by which other machines reach the API, as far as this page can tell. */
const likelyAddress = ({ reach, addresses }: Downloads, publicAddress: string | null): string => {
  if (publicAddress !== null) return publicAddress;
  const own = ownAddress();
  const isOfNoUse = own === '' || (isLoopbackAddress(own) && reach === 'network');
  return isOfNoUse ? (addresses[0] ?? own) : own;
};

const EnrolByLine = ({ agent, downloads }: { readonly agent: Agent; readonly downloads: Downloads }) => {
  const words = useWords(enrolWords);
  const { serverId } = agent;
  const { publicAddress } = useCommunity();
  const [address, setAddress] = useState(() => likelyAddress(downloads, publicAddress));
  const [made, setMade] = useState<Made | null>(null);
  const read = useLiveEnrolment(serverId);
  const create = useChange(enrolmentsHttp.create, [enrolmentsHttp.read]);
  const cancel = useChange(enrolmentsHttp.cancel, [enrolmentsHttp.read, agentsHttp.list]);
  const enrolment = read.data?.enrolment ?? null;
  const isOpen = enrolment?.state === 'open';
  const isShown = made !== null && isOpen && enrolment.id === made.enrolment.id;
  const hasAddress = isApiAddress(address.trim());

  const make = async () => {
    const { code, enrolment: fresh } = await create.mutateAsync({ params: { serverId } });
    const lastsMs = Date.parse(fresh.expiresAt) - Date.parse(fresh.createdAt);
    setMade({ code, enrolment: fresh, endsAtMs: Date.now() + lastsMs });
  };
  return (
    <Stack gap="md">
      <Reach downloads={downloads} address={address} />
      <Text>{words.intro(enrolmentMinutes)}</Text>
      {agent.keyFingerprint !== null && !made && (
        <Alert color="yellow" variant="outline" icon={<IconAlertTriangle aria-hidden />}>
          {words.replaces}
        </Alert>
      )}
      <TextInput
        label={words.address}
        description={words.addressHelp}
        value={address}
        onChange={({ currentTarget }) => setAddress(currentTarget.value)}
        error={!hasAddress && words.addressFault}
        inputMode="url"
        maxLength={300}
        maw="30rem"
      />
      {publicAddress === null && <OwnAddresses downloads={downloads} onChoose={setAddress} />}
      {isShown && hasAddress && <Lines made={made} address={address.trim()} downloads={downloads} />}
      {isOpen && !isShown && <Text>{words.shownOnce}</Text>}
      {create.error && <Trouble error={create.error} />}
      {cancel.error && <Trouble error={cancel.error} />}
      <Group gap="sm">
        <Button
          variant={isShown || enrolment?.state === 'used' ? 'default' : 'filled'}
          loading={create.isPending}
          disabled={!hasAddress}
          onClick={() => void make().catch(() => undefined)}
        >
          {enrolment ? words.makeNew : words.make}
        </Button>
        {isOpen && (
          <Button
            variant="default"
            loading={cancel.isPending}
            onClick={() => void cancel.mutateAsync({ params: { serverId } }).catch(() => undefined)}
          >
            {words.cancel}
          </Button>
        )}
        {isShown && <TimeLeft endsAtMs={made.endsAtMs} />}
      </Group>
      {enrolment && <EnrolSteps agent={agent} enrolment={enrolment} />}
    </Stack>
  );
};

/** Where there are several, with the names of their adapters. */
const OwnAddresses = ({
  downloads: { reach, addresses, adapters = {} },
  onChoose,
}: {
  readonly downloads: Downloads;
  readonly onChoose: (address: string) => void;
}) => {
  const words = useWords(enrolWords);
  if (reach !== 'network' || addresses.length < 2) return null;
  return (
    <Group gap="xs">
      <Text size="sm">{words.otherAddresses}</Text>
      {addresses.map((address) => (
        <Button key={address} variant="subtle" size="compact-sm" onClick={() => onChoose(address)}>
          {adapters[address] === undefined ? address : `${address} (${adapters[address]})`}
        </Button>
      ))}
    </Group>
  );
};

/** What prevents the game's machine from reaching the API; said before anything else. */
const Reach = ({
  downloads: { reach },
  address,
}: {
  readonly downloads: Downloads;
  readonly address: string;
}) => {
  const words = useWords(enrolWords);
  const isPlain = isApiAddress(address) && new URL(address).protocol === 'http:';
  if (isLoopbackAddress(address) || (address === '' && reach === 'this-machine'))
    return (
      <Alert color="yellow" variant="outline" icon={<IconAlertTriangle aria-hidden />} role="status">
        <Text fw={600}>{words.localOnly}</Text>
        <Text>{reach === 'this-machine' ? words.localOnlyText : words.localAddressText}</Text>
        {reach === 'this-machine' && desktopBridge() && (
          <PanelLink to="/computer/network" underline="always">
            {words.toNetwork}
          </PanelLink>
        )}
        {reach === 'this-machine' && !desktopBridge() && <Text>{words.openByEnv}</Text>}
      </Alert>
    );
  if (!isPlain) return null;
  return (
    <Alert color="yellow" variant="outline" icon={<IconAlertTriangle aria-hidden />}>
      <Text fw={600}>{words.plain}</Text>
      <Text>{words.plainText}</Text>
      <PanelLink to="/settings" underline="always">
        {words.toSettings}
      </PanelLink>
    </Alert>
  );
};

interface LinesProps {
  readonly made: Made;
  readonly address: string;
  readonly downloads: Downloads;
}

const Lines = ({ made, address, downloads: { files, certificate } }: LinesProps) => {
  const words = useWords(enrolWords);
  const [chosen, setChosen] = useState<System>('linux');
  const lineOf = (system: System): string | null => {
    const program = files.find((file) => file.system === system);
    if (!program) return null;
    const { code, enrolment } = made;
    const input = {
      apiUrl: address,
      program,
      certificate,
      serverId: enrolment.serverId,
      enrolment: enrolment.id,
      code,
      says: words.says,
    };
    return system === 'linux' ? shellLine(input) : powerShellLine(input);
  };
  return (
    <Tabs
      value={chosen}
      onChange={(name) => setChosen(systems.find((system) => system === name) ?? 'linux')}
      keepMounted={false}
    >
      <Tabs.List aria-label={words.system}>
        {systems.map((system) => (
          <Tabs.Tab key={system} value={system}>
            {words.systems[system]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {systems.map((system) => (
        <Tabs.Panel key={system} value={system} pt="sm">
          <Line line={lineOf(system)} how={words.how[system]} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
};

const Line = ({ line, how }: { readonly line: string | null; readonly how: string }) => {
  const words = useWords(enrolWords);
  const clipboard = useClipboard({ timeout: 2000 });
  if (line === null)
    return (
      <Alert color="yellow" variant="outline" icon={<IconAlertTriangle aria-hidden />} role="status">
        {words.noProgram}
      </Alert>
    );
  const says = clipboard.error ? words.copyByHand : clipboard.copied ? words.copied : words.copy;
  return (
    <Stack gap="xs" align="flex-start">
      <Text>{how}</Text>
      <Code
        block
        dir="ltr"
        role="region"
        aria-label={words.line}
        tabIndex={0}
        w="100%"
        mah="10rem"
        style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {line}
      </Code>
      <Button
        leftSection={
          clipboard.copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />
        }
        onClick={() => clipboard.copy(line)}
      >
        {says}
      </Button>
    </Stack>
  );
};
