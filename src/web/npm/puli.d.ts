/** An engine in a worker. */
export interface Engine {
  /** Sends a line of the protocol, without a line end. */
  send(line: string): void;
  /** Sends a line and resolves with the lines of its answer. Rejects if the engine is closed or fails before the answer ends. */
  ask(line: string): Promise<string[]>;
  /** Ends the engine. */
  close(): void;
}

export interface Options {
  /** Called for every line of the engine. */
  onLine?: (line: string) => void;
}

/** Starts an engine. Rejects if it cannot be loaded. */
export default function puli(options?: Options): Promise<Engine>;
