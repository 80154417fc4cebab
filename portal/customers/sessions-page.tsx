import type { CustomerSession } from '#contracts/customers.ts';
import { csrfTokenOf } from '../pages/csrf.ts';
import { Badge, Moment, Section } from '../pages/display.tsx';
import { Form } from '../pages/form.tsx';
import { useReader, useWords } from '../pages/reader.ts';
import { AccountPage } from './account-page.tsx';
import { accountRoot } from './account-paths.ts';
import type { Customer } from './customer-sessions.ts';
import { deviceName } from './device-name.ts';
import { sessionsWords } from './sessions.words.ts';

export interface SessionsPageProps {
  readonly customer: Customer;
  readonly sessions: readonly CustomerSession[];
}

export const SessionsPage = ({ customer, sessions }: SessionsPageProps) => {
  const words = useWords(sessionsWords);
  return (
    <AccountPage title={words.title} about={words.about} customer={customer} current="sessions">
      <ul className="rows">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      <Section title={words.everywhere}>
        <p className="prose">{words.everywhereHelp}</p>
        <Form
          action={`${accountRoot}/sessions/end-all`}
          csrf={csrfTokenOf(customer.token)}
          submit={words.everywhere}
          tone="danger"
        />
      </Section>
    </AccountPage>
  );
};

const SessionRow = ({ session }: { session: CustomerSession }) => {
  const words = useWords(sessionsWords);
  const { language } = useReader();
  return (
    <li className="row-of-list">
      <div>
        <h2>{deviceName(session.userAgent, language)}</h2>
        <span className="quiet small">
          {words.kinds[session.kind]} · {words.address} <code>{session.address}</code>
        </span>
      </div>
      <div className="row">{session.current && <Badge tone="good">{words.current}</Badge>}</div>
      <div className="quiet small">
        {words.signedIn} <Moment at={session.createdAt} />
      </div>
      <div className="quiet small">
        {words.lastUsed} <Moment at={session.lastUsedAt} />
      </div>
    </li>
  );
};
