import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ChangeWish } from '#contracts/mods.ts';
import { FormDialog } from '../../../design/form-dialog.tsx';
import { useWords } from '../../../language/use-words.ts';
import { modsWords } from './mods.words.ts';

export interface AddressDialogProps {
  readonly address: string;
  readonly onType: (address: string) => void;
  readonly onPlan: (wishes: readonly ChangeWish[]) => void;
  readonly onClose: () => void;
}

/** Installs a mod from the address of its file. */
export const AddressDialog = ({ address, onType, onPlan, onClose }: AddressDialogProps) => {
  const words = useWords(modsWords);
  const [isRefused, setIsRefused] = useState(false);
  return (
    <FormDialog
      title={words.addressTitle}
      act={words.lookAtPlan}
      isActing={false}
      onSubmit={() => {
        const url = address.trim();
        // The API checks it more closely; one that runs by itself may allow http in its settings.
        const isAddress = /^https?:\/\/[^/]/i.test(url) && URL.canParse(url);
        setIsRefused(!isAddress);
        if (isAddress) onPlan([{ do: 'install-address', url }]);
      }}
      onClose={onClose}
    >
      <Text size="sm">{words.addressText}</Text>
      <TextInput
        value={address}
        onChange={({ currentTarget }) => {
          setIsRefused(false);
          onType(currentTarget.value);
        }}
        type="text"
        inputMode="url"
        label={words.address}
        placeholder="https://"
        error={isRefused ? words.addressFault : null}
        maxLength={2000}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    </FormDialog>
  );
};
