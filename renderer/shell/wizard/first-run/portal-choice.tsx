import { Checkbox, Code, Radio, Stack, Text, TextInput } from '@mantine/core';
import type { FirstRunPortal, FirstRunState } from '#contracts/desktop/desktop-first-run.ts';
import { Facts } from '../../../kit/design/facts.tsx';
import { useWords } from '../../../kit/language/use-words.ts';
import { FailureAlert } from '../../../operations/computer/desktop-actions/failure-alert.tsx';
import classes from '../../../operations/computer/desktop-actions/wizard.module.css';
import { firstRunWords } from '../../../operations/computer/network/first-run.words.ts';
import type { FirstRunForm } from './use-first-run-form.ts';

interface PortalProps {
  readonly form: Pick<FirstRunForm, 'portal' | 'isActing'>;
}

/** The address of a portal, and its key to compare. Nothing is trusted until the person continues. */
const OwnPortal = ({ form: { portal: choice, isActing } }: PortalProps) => {
  const { portal } = useWords(firstRunWords);
  const { fault, found } = choice;
  return (
    <Stack gap="xs">
      <TextInput
        label={portal.address}
        description={portal.addressHelp}
        value={choice.url}
        onChange={({ currentTarget }) => choice.setUrl(currentTarget.value)}
        readOnly={isActing}
        placeholder="https://licenses.example.com"
        spellCheck={false}
        autoComplete="off"
        maxLength={500}
        required
      />
      {fault && (
        <FailureAlert title={portal.faults[fault.outcome].title} detail={fault.detail}>
          <Text>{portal.faults[fault.outcome].text}</Text>
        </FailureAlert>
      )}
      {(fault?.outcome === 'plain' || choice.isPlainConfirmed) && (
        <Checkbox
          label={portal.plainConfirm}
          checked={choice.isPlainConfirmed}
          onChange={({ currentTarget }) => choice.setPlainConfirmed(currentTarget.checked)}
        />
      )}
      <div role="status">
        {choice.isConfirmed && <Text size="sm">{portal.confirmed}</Text>}
        {found && (
          <Stack gap="xs">
            <Text>{choice.pasted.trim() === '' ? portal.compare : portal.matches}</Text>
            <Facts
              facts={[
                { label: portal.foundAddress, value: <bdi>{found.url}</bdi> },
                { label: portal.fingerprint, value: <Code>{found.fingerprint}</Code> },
              ]}
            />
          </Stack>
        )}
      </div>
      <details className={classes.folded} open={!choice.isKey || undefined}>
        <summary>{portal.paste}</summary>
        <TextInput
          label={portal.key}
          description={portal.keyHelp}
          value={choice.pasted}
          onChange={({ currentTarget }) => choice.setPasted(currentTarget.value)}
          error={!choice.isKey && portal.keyWrong}
          readOnly={isActing}
          spellCheck={false}
          autoComplete="off"
          maxLength={100}
        />
      </details>
    </Stack>
  );
};

/** Where the license comes from, in a build that names no portal. */
export const PortalField = ({
  state,
  form,
}: PortalProps & {
  readonly state: FirstRunState;
}) => {
  const { portal } = useWords(firstRunWords);
  const { kind, setKind } = form.portal;
  if (kind === null) return null;
  return (
    <Stack gap="sm">
      {state.hasDemoPortal && (
        <Radio.Group
          label={portal.title}
          value={kind}
          onChange={(value) => setKind(value as FirstRunPortal['kind'])}
        >
          <Stack gap="xs" mt={4}>
            <Radio value="demo" label={portal.demo} description={portal.demoText} />
            <Radio value="connected" label={portal.own} description={portal.ownText} />
          </Stack>
        </Radio.Group>
      )}
      {kind === 'connected' && <OwnPortal form={form} />}
    </Stack>
  );
};
