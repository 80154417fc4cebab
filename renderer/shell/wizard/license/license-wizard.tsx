import { Button, Code, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { LicenseRefusal, LicenseStatus } from '#contracts/license/license-state.ts';
import { askAccess } from '../../../kit/access/access-state.ts';
import { callDesktop } from '../../../kit/api/desktop-bridge.ts';
import { CopyButton } from '../../../kit/design/copy-button.tsx';
import { problemTexts } from '../../../kit/language/problem-texts.ts';
import { useLanguage, useWords } from '../../../kit/language/use-words.ts';
import { licenseRemedyWords } from '../../../license/license-remedies.words.ts';
import type { LicenseTrouble, Remedy } from '../../../license/remedy.ts';
import { ownWordsOf } from '../../../license/vendor-words.ts';
import { ActionFailed } from '../../../operations/action-failed.tsx';
import { wizardWords } from '../../../operations/computer/desktop-actions/wizard.words.ts';
import { AddressesTest } from '../../../operations/computer/diagnostics-parts/addresses-test.tsx';
import { TroubleHelp } from '../../../operations/computer/diagnostics-parts/trouble-help.tsx';
import { ProxyForm } from '../../../operations/computer/network/proxy-form.tsx';
import { useDesktopAction } from '../../../operations/use-desktop-action.ts';
import { WizardActions, WizardFrame } from '../frame/wizard-frame.tsx';
import { HwidLine } from '../hwid-line.tsx';
import { TransferFlow } from '../transfer/transfer-flow.tsx';
import { useIsOwnerPending } from '../use-is-owner-pending.ts';
import { useLicenseStatus } from '../use-license-status.ts';
import { BackButton } from './back-button.tsx';
import { KeyForm } from './key-form.tsx';
import { LicenseVerdict } from './license-verdict.tsx';

interface ContactViewProps {
  readonly trouble: LicenseTrouble;
  readonly detail: string;
  readonly status: LicenseStatus | null;
  readonly onBack: () => void;
}

/** The information that a vendor needs to help, ready to send. */
const ContactView = ({ trouble, detail, status, onBack }: ContactViewProps) => {
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
