import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import type { CustomerLicense } from '#contracts/customers.ts';
import { useWords } from '../../language/use-words.ts';
import { WizardActions } from '../frame/wizard-frame.tsx';
import { BackButton } from '../license/back-button.tsx';
import classes from '../wizard.module.css';
import { wizardWords } from '../wizard.words.ts';
import { LicenseChoice } from './license-choice.tsx';

export interface LicenseListProps {
  readonly rows: readonly CustomerLicense[];
  /** The hardware ID of this machine; null if it reports none. */
  readonly hwid: string | null;
  readonly isActing: boolean;
  readonly onBring: (licenseId: string) => void;
  readonly onCancel: (licenseId: string) => void;
  readonly onOtherEmail: () => void;
  readonly onBack: () => void;
}

/** The customer's licenses, one of which is to be moved here. */
export const LicenseList = (props: LicenseListProps) => {
  const { rows, hwid, isActing, onBring, onCancel, onOtherEmail, onBack } = props;
  const words = useWords(wizardWords);
  const question = useId();
  const list = useRef<HTMLDivElement>(null);
  // The field or the button that led here is gone; each answer of the portal brings different rows.
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
