import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { LicenseFault, LicenseRefusal, LicenseStatus } from '#contracts/license/license-state.ts';
import { askAccess } from '../../../kit/access/access-state.ts';
import { callDesktop, onDesktop } from '../../../kit/api/desktop-bridge.ts';
import { CopyButton } from '../../../kit/design/copy-button.tsx';
import { Facts } from '../../../kit/design/facts.tsx';
import { problemTexts } from '../../../kit/language/problem-texts.ts';
import { useFormat } from '../../../kit/language/use-format.ts';
import { useLanguage, useWords } from '../../../kit/language/use-words.ts';
import { licenseRemedyWords } from '../../../license/license-remedies.words.ts';
import { type LicenseTrouble, type Remedy, remedyOf } from '../../../license/remedy.ts';
import { ownWordsOf } from '../../../license/vendor-words.ts';
import { ActionFailed } from '../../../operations/action-failed.tsx';
import classes from '../../../operations/computer/desktop-actions/wizard.module.css';
import { wizardWords } from '../../../operations/computer/desktop-actions/wizard.words.ts';
import { AddressesTest } from '../../../operations/computer/diagnostics-parts/addresses-test.tsx';
import { TroubleHelp } from '../../../operations/computer/diagnostics-parts/trouble-help.tsx';
import { ProxyForm } from '../../../operations/computer/network/proxy-form.tsx';
import { useDesktopAction } from '../../../operations/use-desktop-action.ts';
import { WizardActions, WizardFrame } from '../frame/wizard-frame.tsx';
import { TransferFlow } from '../transfer/transfer-flow.tsx';
import { useIsOwnerPending } from '../use-is-owner-pending.ts';
import { BackButton } from './back-button.tsx';
import { KeyForm } from './key-form.tsx';

/** The license as the desktop itself knows it, also while the API does not answer; null until it has answered. */
const useLicenseStatus = (): LicenseStatus | null => {
  const [status, setStatus] = useState<LicenseStatus | null>(null);
  useEffect(() => {
    let isHere = true;
    const stop = onDesktop('license.changed', setStatus);
    callDesktop('license.status', undefined).then(
      (known) => isHere && setStatus((newer) => newer ?? known),
      () => undefined,
    );
    return () => {
      isHere = false;
      stop();
    };
  }, []);
  return status;
};

/** The hardware ID of this machine, to copy exactly. */
const HwidLine = ({ hwid }: { readonly hwid: string }) => {
  const words = useWords(wizardWords);
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Code className={classes.long}>{hwid}</Code>
      <CopyButton value={hwid} label={words.copyHwid} />
    </Group>
  );
};

/** Both clocks, side by side, if one of them is wrong. */
const Clocks = ({ clock }: { readonly clock: LicenseStatus['clock'] }) => {
  const words = useWords(licenseRemedyWords);
  const format = useFormat();
  return (
    <Stack component="section" gap="xs">
      <Title order={2}>{words.clockTitle}</Title>
      <Text>{words.clockText}</Text>
      <Facts
        facts={[
          { label: words.clockLocal, value: format.exact(clock.local) },
          { label: words.clockKnown, value: clock.known ? format.exact(clock.known) : words.unknown },
        ]}
      />
    </Stack>
  );
};

/** Why the license is invalid, and the button that helps. */
const LicenseVerdict = (props: {
  readonly trouble: LicenseFault;
  /** In the portal's or the program's own words. */
  readonly detail: string;
  /** Null until the desktop has answered. */
  readonly status: LicenseStatus | null;
  /** For a remedy that leads to another view. */
  readonly onFollow: (remedy: Remedy) => void;
  readonly onKey: () => void;
  readonly onTransfer: () => void;
}) => {
  const { trouble, detail, status, onFollow, onKey, onTransfer } = props;
  const words = useWords(wizardWords);
  const remedyWords = useWords(licenseRemedyWords);
  const format = useFormat();
  const language = useLanguage();
  const check = useDesktopAction();
  const [said, setSaid] = useState<string | null>(null);
  const { meaning, remedy: advice } = problemTexts(trouble, language);
  const remedy = remedyOf(trouble);
  const vendor = trouble === 'SUSPENDED' || trouble === 'REVOKED' ? ownWordsOf(trouble, detail) : null;
  const ended = trouble === 'EXPIRED' ? status?.endsAt : null;

  const ask = () => check.run(() => callDesktop('license.check', undefined).then(askAccess));
  const act = () => {
    if (remedy === 'try-again') return ask();
    if (remedy !== 'renew' && remedy !== 'check-clock') return onFollow(remedy);
    const isClock = remedy === 'check-clock';
    return check.run(async () => {
      const { isOpened } = await callDesktop('license.open', { page: isClock ? 'clock' : 'customer-area' });
      if (!isClock) setSaid(isOpened ? remedyWords.areaOpened : remedyWords.areaNotOpened);
      else setSaid(isOpened ? remedyWords.clockOpened : null);
      // The clock may be right by now, and the person looking at it wants to know.
      if (isClock && !isOpened) await callDesktop('license.check', undefined).then(askAccess);
    });
  };

  return (
    <>
      <Text>{meaning}</Text>
      {vendor && (
        <Text component="blockquote" m={0}>
          <strong>{remedyWords.vendorSays}:</strong> <bdi>{vendor}</bdi>
        </Text>
      )}
      {ended && <Text>{words.ended(format.exact(ended))}</Text>}
      <Text c="dimmed">{remedy === 'transfer' ? remedyWords.transferText : advice}</Text>
      {remedy === 'check-clock' && status && <Clocks clock={status.clock} />}
      <div role="status">{said && <Text>{said}</Text>}</div>
      {check.error !== null && <ActionFailed error={check.error} />}
      <WizardActions>
        <Button onClick={act} loading={check.isActing}>
          {remedy === 'wait' ? remedyWords.checkAgain : remedyWords.acts[remedy]}
        </Button>
        {remedy !== 'try-again' && (
          <Button variant="default" onClick={ask} disabled={check.isActing}>
            {remedyWords.checkAgain}
          </Button>
        )}
        {remedy !== 'enter-key' && (
          <Button variant="subtle" onClick={onKey}>
            {words.toKey}
          </Button>
        )}
        {remedy === 'enter-key' && (
          <Button variant="subtle" onClick={onTransfer}>
            {words.toTransfer}
          </Button>
        )}
      </WizardActions>
    </>
  );
};

/** The information that a vendor needs to help, ready to send. */
const ContactView = (props: {
  readonly trouble: LicenseTrouble;
  readonly detail: string;
  readonly status: LicenseStatus | null;
  readonly onBack: () => void;
}) => {
  const { trouble, detail, status, onBack } = props;
  const words = useWords(licenseRemedyWords);
  const act = useDesktopAction();
  const [said, setSaid] = useState<string | null>(null);
  const own = status?.code === trouble ? ownWordsOf(trouble, detail) : null;
  const lines = [
    `${words.details.reason}: ${trouble}${own ? ` (${own})` : ''}`,
    ...(status?.licenseId ? [`${words.details.license}: ${status.licenseId}`] : []),
    ...(status?.hwid ? [`${words.details.hwid}: ${status.hwid}`] : []),
  ];
  const text = lines.join('\n');
  const open = () =>
    act.run(async () => {
      const { isOpened } = await callDesktop('license.open', { page: 'customer-area' });
      setSaid(isOpened ? words.areaOpened : words.areaNotOpened);
    });
  return (
    <Stack component="section" gap="sm">
      <Title order={2}>{words.contactTitle}</Title>
      <Text>{words.contactText}</Text>
      <Code block>{text}</Code>
      <div>
        <CopyButton value={text} label={words.copyDetails} />
      </div>
      <div role="status">{said && <Text>{said}</Text>}</div>
      {act.error !== null && <ActionFailed error={act.error} />}
      <WizardActions>
        <Button onClick={open} loading={act.isActing}>
          {words.openArea}
        </Button>
        <BackButton onBack={onBack} />
      </WizardActions>
    </Stack>
  );
};

type View = 'verdict' | 'key' | 'transfer' | 'find-license' | 'contact';

/** While the license is invalid: says why, and offers the one button that leads to a valid license. */
export const LicenseWizard = ({ license }: { readonly license: LicenseRefusal }) => {
  const words = useWords(wizardWords);
  const language = useLanguage();
  const isOwnerPending = useIsOwnerPending();
  const known = useLicenseStatus();
  const { code, detail, hwid } = known?.code ? { ...known, code: known.code } : license;
  const isNew = code === 'LICENSE_REQUIRED';
  const [chosen, setView] = useState<View | null>(null);
  const view = chosen ?? (isNew ? 'key' : 'verdict');
  /** Why an activation failed, while the contact for it is shown. */
  const [failed, setFailed] = useState<LicenseTrouble | null>(null);
  /** Kept here, so that the typed key is still there after a look at another view. */
  const [key, setKey] = useState('');
  const [email, setEmail] = useState('');
  const [isUnreachable, setIsUnreachable] = useState(false);

  // The API notices a new license.json by itself, and then lets everyone in.
  const holds = known?.state === 'valid' || known?.state === 'grace';
  useEffect(() => {
    if (holds) void askAccess();
  }, [holds]);
  // A page that was reloaded continues where it was.
  useEffect(() => {
    callDesktop('transfer.standing', undefined).then(
      (standing) => {
        if (standing.email === null) return;
        setEmail(standing.email);
        setView((present) => present ?? 'transfer');
      },
      () => undefined,
    );
  }, []);

  /** The remedies that lead to another view; the others are carried out where they are offered. */
  const follow = (remedy: Remedy, trouble: LicenseTrouble) => {
    setFailed(trouble);
    if (remedy === 'transfer' || remedy === 'find-license') setView(remedy);
    else if (remedy === 'contact') setView('contact');
    else setView('key');
  };
  const back = () => setView(null);
  const isTransfer = view === 'transfer' || view === 'find-license';
  const title = isNew ? words.title : problemTexts(code, language).title;

  return (
    <WizardFrame title={title} step={isOwnerPending ? 'license' : undefined}>
      {view === 'verdict' && (
        <LicenseVerdict
          trouble={code}
          detail={detail}
          status={known}
          onFollow={(remedy) => follow(remedy, code)}
          onKey={() => setView('key')}
          onTransfer={() => setView('transfer')}
        />
      )}
      {view === 'key' && (
        <KeyForm
          typed={key}
          onTyped={setKey}
          onActivated={askAccess}
          onFailure={(failure) => setIsUnreachable(failure?.outcome === 'unreachable')}
          onFollow={follow}
          onTransfer={() => setView('transfer')}
          onBack={isNew ? null : back}
        />
      )}
      {isTransfer && (
        <TransferFlow
          email={email}
          onEmail={setEmail}
          isSearch={view === 'find-license'}
          onActivated={askAccess}
          hwid={hwid ?? null}
          onBack={back}
        />
      )}
      {view === 'contact' && (
        <ContactView trouble={failed ?? code} detail={detail} status={known} onBack={back} />
      )}
      <Stack gap="xs" pb="lg">
        <Text size="sm" c="dimmed" component="div">
          {words.hwid}: {hwid ? <HwidLine hwid={hwid} /> : words.noHwid}
        </Text>
        <ProxyForm isNeeded={isUnreachable} />
        {isUnreachable && <AddressesTest isService={false} />}
        <TroubleHelp component="supervisor" isNeeded={false} />
        {!isNew && (
          <Text size="sm" c="dimmed" role="status">
            {words.waiting}
          </Text>
        )}
      </Stack>
    </WizardFrame>
  );
};
