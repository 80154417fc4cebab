import { Checkbox, Group, Text, TextInput } from '@mantine/core';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { observabilityHttp } from '#contracts/operations/observability.ts';
import { useCan } from '../../../kit/access/access-state.ts';
import { useRead } from '../../../kit/api/queries.ts';
import { AsyncContent } from '../../../kit/design/async-content.tsx';
import { EmptyState } from '../../../kit/design/empty-state.tsx';
import { PanelLink } from '../../../kit/design/panel-link.tsx';
import { useWords } from '../../../kit/language/use-words.ts';
import { useSearchState } from '../../../kit/routing/use-search-state.ts';
import classes from './api.module.css';
import { apiWords } from './api.words.ts';
import { CurlSettings } from './curl-settings.tsx';
import { type ApiDocument, type ApiOperation, byTag, findOperations, readOpenApi } from './open-api.ts';
import { OperationView } from './operation-view.tsx';
import { forgetPasted } from './pasted-key.ts';
import { standingOf } from './standing.ts';

/** Every route of the API, as the API itself describes them. */
export const ApiTab = () => {
  const words = useWords(apiWords);
  const isAllowed = useCan()('stack.read');
  const read = useRead(observabilityHttp.openApi, {}, { enabled: isAllowed });
  useEffect(() => forgetPasted, []);
  if (!isAllowed) return <EmptyState title={words.notAllowed} text={words.notAllowedText} />;
  return <AsyncContent read={read}>{(document) => <Reference document={document} />}</AsyncContent>;
};

const Reference = ({ document }: { readonly document: unknown }) => {
  const words = useWords(apiWords);
  const can = useCan();
  const api = useMemo(() => readOpenApi(document), [document]);
  const [typed, setTyped] = useState('');
  const [isMine, setIsMine] = useState(false);
  const wanted = useDeferredValue(typed);
  const found = useMemo(
    () =>
      findOperations(api.operations, wanted).filter(
        (operation) => !isMine || standingOf(operation, can) === 'yes',
      ),
    [api, wanted, isMine, can],
  );
  return (
    <div className={classes.reference}>
      <Text>
        {words.about}{' '}
        <PanelLink to="/api-keys" underline="always">
          {words.toKeys}
        </PanelLink>
      </Text>
      <CurlSettings />
      <Group className={classes.tools}>
        <TextInput
          type="search"
          className={classes.search}
          aria-label={words.search}
          placeholder={words.search}
          value={typed}
          maxLength={100}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Checkbox
          label={words.onlyMine}
          checked={isMine}
          onChange={({ currentTarget }) => setIsMine(currentTarget.checked)}
        />
        <Text c="dimmed" size="sm" role="status">
          {words.count(found.length)}
        </Text>
      </Group>
      {found.length === 0 && <EmptyState title={words.none} text={words.noneText} />}
      <div className={classes.tags}>
        {byTag(found).map(([tag, operations]) => (
          <Tag key={tag} tag={tag} operations={operations} isOpen={wanted.trim() !== ''} api={api} />
        ))}
      </div>
    </div>
  );
};

const Tag = (props: {
  readonly tag: string;
  readonly operations: readonly ApiOperation[];
  /** Search results are open from the start. */
  readonly isOpen: boolean;
  readonly api: ApiDocument;
}) => {
  const { tag, operations, isOpen, api } = props;
  const { values, set } = useSearchState();
  const chosen = operations.find(({ id }) => id === values.route);
  const [isUnfolded, setIsUnfolded] = useState(chosen !== undefined);
  const isShown = isOpen || isUnfolded;
  return (
    <section className={classes.tag}>
      <h2>
        <button
          type="button"
          className={classes.tagButton}
          aria-expanded={isShown}
          disabled={isOpen}
          onClick={() => setIsUnfolded(!isUnfolded)}
        >
          <span lang="en">{tag}</span>
          <span className={classes.tagCount}>{operations.length}</span>
        </button>
      </h2>
      {isShown && (
        <ul className={classes.operations}>
          {operations.map((operation) => (
            <li key={operation.id}>
              <OperationView
                operation={operation}
                schemas={api.schemas}
                isOpen={operation === chosen}
                onToggle={() => set({ route: operation === chosen ? '' : operation.id })}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
