import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { DesktopOutput } from '#contracts/desktop/desktop.ts';
import {
  type AddressTest,
  clockNoticeS,
  type OutsideAddress,
} from '#contracts/operations/outside-addresses.ts';
import { callDesktop } from '../../../kit/api/desktop-bridge.ts';
import { Loading } from '../../../kit/design/loading.tsx';
import { StateLabel, type Tone } from '../../../kit/design/state-label.tsx';
import { wordReason } from '../../../kit/language/reasons.words.ts';
import { useFormat } from '../../../kit/language/use-format.ts';
import { useLanguage, useWords } from '../../../kit/language/use-words.ts';
import { ActionFailed } from '../../action-failed.tsx';
import { useDesktopAction } from '../../use-desktop-action.ts';
import { addressesWords } from './addresses.words.ts';

type Addresses = DesktopOutput<'addresses.list'>;
/** `gone`: the installation no longer uses it. */
type Outcome = AddressTest | 'testing' | 'gone';

const Details = ({ test }: { readonly test: AddressTest }) => {
  const words = useWords(addressesWords);
  const language = useLanguage();
  const format = useFormat();
  const { fault, proxy, passedOver, signedBy, clockAheadS, tookMs } = test;
  const clock = Math.abs(clockAheadS ?? 0) >= clockNoticeS ? (clockAheadS ?? 0) : 0;
  const source = signedBy?.source ? ` (${words.sources[signedBy.source]})` : '';
  const facts = [
    proxy === null ? words.direct : words.through(proxy),
    words.took(format.number(tookMs)),
    ...(signedBy ? [`${words.signedBy(signedBy.name)}${source}`] : []),
  ];
  return (
    <>
      {fault !== null && <Text size="sm">{wordReason(fault, language)}</Text>}
      {clock !== 0 && (
        <Text size="sm">
          {clock > 0 ? words.clockAhead(format.duration(clock)) : words.clockBehind(format.duration(-clock))}
        </Text>
      )}
      {passedOver !== null && (
        <Text size="sm">
          {words.passedOver} {wordReason(passedOver, language)}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        <bdi>{facts.join(' · ')}</bdi>
      </Text>
    </>
  );
};

const toneOf = (outcome: Outcome | undefined): Tone => {
  if (outcome === 'testing') return 'busy';
  if (outcome === undefined || outcome === 'gone') return 'idle';
  return outcome.fault === null ? 'ok' : 'bad';
};

interface RowProps {
  readonly address: OutsideAddress;
  readonly outcome: Outcome | undefined;
}

const Row = ({ address: { kind, address }, outcome }: RowProps) => {
  const words = useWords(addressesWords);
  const state = () => {
    if (outcome === undefined) return words.waiting;
    if (outcome === 'testing' || outcome === 'gone') return words[outcome];
    return outcome.fault === null ? words.reached : words.failed;
  };
  return (
    <Stack component="li" gap={2} style={{ overflowWrap: 'anywhere' }} data-address={kind}>
      <Group gap="xs">
        <Text component="span" fw={500}>
          {words.names[kind]}
        </Text>
        <StateLabel tone={toneOf(outcome)}>{state()}</StateLabel>
      </Group>
      <Text size="sm" c="dimmed">
        <bdi>{address}</bdi>
      </Text>
      {typeof outcome === 'object' && <Details test={outcome} />}
    </Stack>
  );
};

/** Which addresses on the internet are reached, how, and what stands in the way of the others; asks only when told to. */
export const AddressesTest = ({ isService }: { readonly isService: boolean }) => {
  const words = useWords(addressesWords);
  const { isActing, error, run } = useDesktopAction();
  const [list, setList] = useState<Addresses | null>(null);
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, Outcome>>>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the section appears
  useEffect(() => {
    void run(async () => setList(await callDesktop('addresses.list', undefined)));
  }, []);
  const test = () =>
    run(async () => {
      const now = await callDesktop('addresses.list', undefined);
      setList(now);
      setOutcomes(Object.fromEntries(now.addresses.map(({ kind }) => [kind, 'testing'])));
      await Promise.all(
        now.addresses.map(async ({ kind }) => {
          const outcome = (await callDesktop('addresses.test', { kind })) ?? 'gone';
          setOutcomes((before) => ({ ...before, [kind]: outcome }));
        }),
      );
    });
  const all = Object.values(outcomes);
  const done = all.filter((outcome) => outcome !== 'testing');
  const failed = done.filter((outcome) => outcome !== 'gone' && outcome.fault !== null).length;
  const result = () => {
    if (all.length === 0) return null;
    if (done.length < all.length) return words.progress(done.length, all.length);
    return failed === 0 ? words.allWell : words.someFail(failed);
  };
  return (
    <Stack gap="sm" align="start">
      <Text>{words.text}</Text>
      {isService && <Text>{words.service}</Text>}
      {list === null && error === null && <Loading />}
      {list?.unreadProxy && <StateLabel tone="warn">{words.unreadProxy[list.unreadProxy]}</StateLabel>}
      {list && (
        <Stack component="ul" gap="sm" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {list.addresses.map((address) => (
            <Row key={address.kind} address={address} outcome={outcomes[address.kind]} />
          ))}
        </Stack>
      )}
      {error !== null && <ActionFailed error={error} />}
      <div role="status">{result()}</div>
      <Button variant="default" onClick={test} loading={isActing && list !== null} disabled={list === null}>
        {all.length === 0 ? words.test : words.again}
      </Button>
    </Stack>
  );
};
