import { Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import type { CustomerLicense } from '#contracts/portal/customers.ts';
import { useFormat } from '../../../kit/language/use-format.ts';
import { useWords } from '../../../kit/language/use-words.ts';
import classes from '../../../operations/computer/desktop-actions/wizard.module.css';
import { wizardWords } from '../../../operations/computer/desktop-actions/wizard.words.ts';
import { WizardActions } from '../frame/wizard-frame.tsx';
import { BackButton } from '../license/back-button.tsx';

/** One of the customer's licenses: where it is in use, and whether it can be moved here now. */
const LicenseChoice = (props: {
  readonly license: CustomerLicense;
  /** The hardware ID of this machine. */
  readonly hwid: string | null;
  readonly isActing: boolean;
  readonly onBring: () => void;
  readonly onCancel: () => void;
}) => {
  const { license, hwid, isActing, onBring, onCancel } = props;
  const words = useWords(wizardWords);
  const format = useFormat();
  const { maskedKey, tier, status, machine, transfer } = license;
  const isHere = machine !== null && machine.hwid === hwid;
  const isElsewhere = machine !== null && !isHere;
  const where = isHere ? words.here : words.elsewhere;
  /** A transfer that would be refused must not be the primary button. */
  const isFree = status === 'active' && (!isElsewhere || transfer.nextFreeAt === null || transfer.extra > 0);
  const seen = machine?.lastCheckedAt ?? null;
  return (
    <Paper component="section" withBorder p="sm" aria-label={maskedKey}>
      <Stack gap="xs">
        <Title order={3}>
          <bdi>{maskedKey}</bdi> · <bdi>{tier}</bdi> · {words.status[status]}
        </Title>
        {machine === null ? (
          <Text>{words.unbound}</Text>
        ) : (
          <>
            <Text>{seen === null ? where : words.seen(where, format.relative(seen, Date.now()))}</Text>
            <Code className={classes.long}>{machine.hwid}</Code>
          </>
        )}
        {isElsewhere && (
          <Text size="sm" c="dimmed">
            {transfer.nextFreeAt === null
              ? words.freeNow
              : transfer.extra > 0
                ? words.extra(transfer.extra)
                : words.nextFree(format.date(transfer.nextFreeAt))}
          </Text>
        )}
        {transfer.pending && (
          <Text size="sm">
            {transfer.pending.toHwid === hwid ? words.pendingHere : words.pendingElsewhere}
          </Text>
        )}
        <Group gap="xs">
          <Button
            variant={isFree ? 'filled' : 'default'}
            onClick={onBring}
            disabled={isActing || hwid === null}
          >
            {isElsewhere ? words.bring : words.use}
          </Button>
          {transfer.pending && (
            <Button variant="default" onClick={onCancel} disabled={isActing}>
              {words.cancelTransfer}
            </Button>
          )}
        </Group>
      </Stack>
    </Paper>
  );
};

/** The customer's licenses, one of which is to be moved here. */
export const LicenseList = (props: {
  readonly rows: readonly CustomerLicense[];
  /** The hardware ID of this machine; null if it reports none. */
  readonly hwid: string | null;
  readonly isActing: boolean;
  readonly onBring: (licenseId: string) => void;
  readonly onCancel: (licenseId: string) => void;
  readonly onOtherEmail: () => void;
  readonly onBack: () => void;
}) => {
  const { rows, hwid, isActing, onBring, onCancel, onOtherEmail, onBack } = props;
  const words = useWords(wizardWords);
  const question = useId();
  const list = useRef<HTMLDivElement>(null);
  // The field or the button that led here is gone; each answer of the portal has different rows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for every list that comes
  useEffect(() => list.current?.focus(), [rows]);
  return (
    <Stack component="section" ref={list} tabIndex={-1} aria-labelledby={question} className={classes.step}>
      <Text id={question}>{rows.length === 0 ? words.none : `${words.choose} ${words.bringText}`}</Text>
      {rows.map((license) => (
        <LicenseChoice
          key={license.id}
          license={license}
          hwid={hwid}
          isActing={isActing}
          onBring={() => onBring(license.id)}
          onCancel={() => onCancel(license.id)}
        />
      ))}
      <WizardActions>
        <Button variant="default" onClick={onOtherEmail}>
          {words.otherEmail}
        </Button>
        <BackButton onBack={onBack} />
      </WizardActions>
    </Stack>
  );
};
