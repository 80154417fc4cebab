import type { AgentHome } from '../configuration/agent-home.ts';
import type { Questions } from '../setup/questions.ts';

export interface ServiceState {
  readonly is: 'running' | 'stopped' | 'absent';
  /** A sentence for people. */
  readonly detail: string;
}

/** The agent as a service of this system. Every method rejects with ServiceError; a state that is already reached is not a fault. */
export interface AgentService {
  install(request: {
    readonly home: AgentHome;
    /** Null: the one that owns the games' folders, or the service's own on Windows. */
    readonly account: string | null;
    readonly starts: boolean;
    readonly questions: Questions;
  }): Promise<void>;
  /** Games that the agent holds keep running. */
  uninstall(request: {
    readonly home: AgentHome;
    /** Also deletes settings, keys and journals, and the account that an installation has created. */
    readonly removesData: boolean;
    say(text: string): void;
  }): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  state(): Promise<ServiceState>;
  /** Adapts the service's account and rules to the changes of a set-up; what a person has to do is printed. */
  followSettings(home: AgentHome, say: (text: string) => void): Promise<void>;
}
