import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { NetworkAsked, NetworkNews } from '#contracts/desktop/desktop-network.ts';
import type { ComponentStatus, StackStatus } from '#contracts/operations/stack.ts';
import { askAccess } from '../../kit/access/access-state.ts';
import { callDesktop, desktopBridge, onDesktop } from '../../kit/api/desktop-bridge.ts';
import { StateLabel } from '../../kit/design/state-label.tsx';
import { useTold } from '../../kit/language/use-told.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { ActionFailed } from '../../operations/action-failed.tsx';
import classes from '../../operations/computer/desktop-actions/wizard.module.css';
import { wizardWords } from '../../operations/computer/desktop-actions/wizard.words.ts';
import { servicesWords } from '../../operations/computer/desktop-services/services.words.ts';
import { ServicesTrouble, stepInWords } from '../../operations/computer/desktop-services/services-result.tsx';
import { useServices } from '../../operations/computer/desktop-services/use-services.ts';
import { componentTones } from '../../operations/computer/diagnostics-parts/component-tones.ts';
import { TroubleHelp } from '../../operations/computer/diagnostics-parts/trouble-help.tsx';
import { useTroubledPart } from '../../operations/computer/diagnostics-parts/use-troubled-part.ts';
import { UpdateRescue } from '../../operations/computer/update-parts/update-rescue.tsx';
import { useDesktopAction } from '../../operations/use-desktop-action.ts';
import { WizardActions, WizardFrame } from './frame/wizard-frame.tsx';
import { partProgress } from './part-progress.ts';
import { useIsOwnerPending } from './use-is-owner-pending.ts';

/** For when the panel is unreachable because its services are not running: create the missing ones, or give the services up. */
const ServicesRescue = () => (desktopBridge()?.isWindows ? <Rescue /> : null);

const Rescue = () => {
  const words = useWords(servicesWords);
  const { status, error, change } = useServices();
  if (status?.mode !== 'services') return null;
  const { work, last } = status;
  const isWhole = status.services?.every(({ state }) => state !== 'absent') ?? false;
  return (
    <Stack gap="xs">
      <Text>{words.rescueText}</Text>
      {error !== null && <ActionFailed error={error} />}
      {work === null && last && <ServicesTrouble result={last.result} />}
      <div role="status">{work && <StateLabel tone="busy">{stepInWords(words, work.step)}</StateLabel>}</div>
      {!isWhole && (
        <Button variant="default" disabled={work !== null} onClick={() => void change('install')}>
          {words.repair}
        </Button>
      )}
      <Button variant="default" disabled={work !== null} onClick={() => void change('uninstall')}>
        {words.giveUp}
      </Button>
    </Stack>
  );
};

interface Offer {
  readonly wanted: NetworkAsked;
  /** The new ones in `wanted`. */
  readonly ports: readonly number[];
}

/** Free ports to replace the taken ones; null if there are none, or we may not change the settings. */
const findOffer = async (): Promise<Offer | null> => {
  const { isService, isChanging, ...present } = await callDesktop('network.state', undefined);
  if (isService || isChanging) return null;
  const { postgresPort, isOpen } = present;
  const { api } = await callDesktop('network.check', { apiPort: present.apiPort, postgresPort, isOpen });
  const apiPort = api.free ?? present.apiPort;
  // Checked together with the API's new port, so that the database is not offered the same one.
  const { postgres } = await callDesktop('network.check', { apiPort, postgresPort, isOpen });
  const ports = [api.free, postgres.free].filter((port) => port !== null);
  const wanted = { apiPort, postgresPort: postgres.free ?? postgresPort, isOpen };
  return ports.length === 0 ? null : { wanted, ports };
};

interface OtherPorts {
  /** The ports that are offered; null while there are none. */
  readonly ports: readonly number[] | null;
  readonly isActing: boolean;
  /** Why the last change failed, in words; null if it did not. */
  readonly fault: unknown;
  change(): void;
}

/** Offers other ports while a component has failed because of its port. */
const useOtherPorts = (status: StackStatus | null): OtherPorts => {
  const { isActing, error, run } = useDesktopAction();
  const [offer, setOffer] = useState<Offer | null>(null);
  const [news, setNews] = useState<NetworkNews | null>(null);
  const blocked = status?.components.flatMap(({ blockedPort }) => blockedPort ?? []).join() ?? '';
  // After a reload, the new page gets the outcome, too.
  useEffect(() => onDesktop('network.changed', (state) => setNews(state.news)), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change, other ports may be free
  useEffect(() => {
    if (blocked === '' || isActing) return;
    let isOver = false;
    void findOffer()
      // The component's own reason says what to change where.
      .catch(() => null)
      .then((found) => !isOver && setOffer(found));
    return () => {
      isOver = true;
    };
  }, [blocked, news, isActing]);
  const undone = news !== null && news.outcome !== 'done' ? news.detail : null;
  const shown = isActing || blocked !== '' ? offer : null;
  return {
    ports: shown?.ports ?? null,
    isActing,
    fault: isActing ? null : (error ?? undone),
    change: () => {
      if (shown) void run(() => callDesktop('network.change', shown.wanted));
    },
  };
};

const standstillOf = (status: StackStatus | null) =>
  status?.state === 'stopped' || status?.state === 'stopping' || status?.state === 'failed'
    ? status.state
    : 'starting';

/** What has no code, such as what Postgres says itself, stays in English. */
const Reason = ({ reason }: { readonly reason: string }) => {
  const said = useTold()(reason);
  return (
    <Text size="sm" c="dimmed" lang={said === reason ? 'en' : undefined}>
      <bdi>{said}</bdi>
    </Text>
  );
};

/** Each component of the stack, with its current step or what it waits for. */
const Parts = ({
  parts,
  isStarting,
}: {
  readonly parts: readonly ComponentStatus[];
  /** Everything is starting, so a component that is stopped waits for something. */
  readonly isStarting: boolean;
}) => {
  const words = useWords(wizardWords);
  const said = (part: ComponentStatus): string => {
    if (!isStarting && part.state === 'stopped') return words.progress.stopped;
    const progress = partProgress(part, parts);
    return progress.says === 'waits' ? words.waitsFor[progress.for] : words.progress[progress.says];
  };
  return (
    <div role="status">
      <dl className={classes.parts}>
        {parts.map((part) => (
          <div key={part.name}>
            <dt>{words.parts[part.name]}</dt>
            <dd>
              <StateLabel tone={componentTones[part.state]}>{said(part)}</StateLabel>
              {part.reason && <Reason reason={part.reason} />}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
};

/** While the API does not answer: what each component of the stack is doing, and what to do if it is stuck. */
export const StartingPage = () => {
  const words = useWords(wizardWords);
  const act = useDesktopAction();
  const isOwnerPending = useIsOwnerPending();
  const [status, setStatus] = useState<StackStatus | null>(null);
  useEffect(() => {
    const hear = (told: StackStatus) => {
      setStatus(told);
      void askAccess();
    };
    callDesktop('stack.status', undefined).then(setStatus, () => undefined);
    return onDesktop('stack.changed', hear);
  }, []);
  const otherPorts = useOtherPorts(status);
  const fault = otherPorts.fault ?? act.error;
  const standstill = standstillOf(status);
  const isStill = standstill === 'stopped' || standstill === 'failed';
  // Restoring a backup stops and starts everything itself, and has to show the result there.
  const [wasStill, setWasStill] = useState(false);
  if (isStill && !wasStill) setWasStill(true);
  const troubled = useTroubledPart(status);
  const { title, text } = words.away[standstill];
  // After a failure, the corrected settings are read again.
  const start = () => act.run(() => callDesktop('stack.restart', {}));
  return (
    <WizardFrame title={title} step={isOwnerPending ? 'computer' : undefined}>
      <Text c="dimmed">{text}</Text>
      <Parts parts={status?.components ?? []} isStarting={standstill === 'starting'} />
      {fault !== null && <ActionFailed error={fault} />}
      {(otherPorts.ports || isStill) && (
        <WizardActions>
          {otherPorts.ports && (
            <Button onClick={otherPorts.change} loading={otherPorts.isActing}>
              {words.otherPorts(otherPorts.ports)}
            </Button>
          )}
          {isStill && (
            <Button variant={otherPorts.ports ? 'default' : 'filled'} onClick={start} loading={act.isActing}>
              {standstill === 'stopped' ? words.startAll : words.tryAgain}
            </Button>
          )}
        </WizardActions>
      )}
      {isStill && <ServicesRescue />}
      {wasStill && <UpdateRescue />}
      <Stack pb="lg">
        <TroubleHelp component={troubled ?? 'supervisor'} isNeeded={troubled !== undefined} />
      </Stack>
    </WizardFrame>
  );
};
