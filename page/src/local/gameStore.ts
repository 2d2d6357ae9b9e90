/**
 * Storage of local games: one row in IndexedDB per game, written before a move is shown.
 *
 * The record is the source of truth, like a server's ledger: the game in memory is what replaying it gives. So games of an older
 * version of the page continue in a newer one.
 */
import type { Room } from "./room.ts";

export interface StoredGame {
  code: string;
  room: Room;
  /** The game so far as a record; empty in the lobby. */
  record: string;
  phase: number;
  /** When it was last written, in milliseconds. */
  at: number;
  /** The version of the row: a writer that has not read the latest version may not overwrite it. */
  count: number;
}

export interface GameStore {
  /** Whether games survive closing the tab. */
  readonly isPersistent: boolean;
  read(code: string): Promise<StoredGame | undefined>;
  /** Write the next version of rows. If another tab has written one of them since, write nothing and return false. */
  write(...rows: StoredGame[]): Promise<boolean>;
  remove(code: string): Promise<void>;
  all(): Promise<StoredGame[]>;
}

const DATABASE = "qwixx";
const GAMES = "games";

/** Open IndexedDB, or without it a store in memory that ends with the tab. */
export async function openGameStore(): Promise<GameStore> {
  try {
    return new IndexedDbStore(await open());
  } catch {
    return new MemoryStore();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(GAMES, { keyPath: "code" });
    request.onsuccess = () => {
      // A newer version of the page in another tab may upgrade the database: it must not wait for this tab.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error ?? new Error("failed"));
    request.onblocked = () => reject(new Error("blocked"));
  });
}

class IndexedDbStore implements GameStore {
  readonly isPersistent = true;

  constructor(private readonly database: IDBDatabase) {}

  read(code: string): Promise<StoredGame | undefined> {
    return this.query((games) => games.get(code) as IDBRequest<StoredGame | undefined>);
  }

  all(): Promise<StoredGame[]> {
    return this.query((games) => games.getAll() as IDBRequest<StoredGame[]>);
  }

  async remove(code: string): Promise<void> {
    const transaction = this.database.transaction(GAMES, "readwrite");
    transaction.objectStore(GAMES).delete(code);
    await committed(transaction);
  }

  async write(...rows: StoredGame[]): Promise<boolean> {
    const transaction = this.database.transaction(GAMES, "readwrite");
    const games = transaction.objectStore(GAMES);
    let fits = true;
    for (const row of rows) {
      const found = games.get(row.code) as IDBRequest<StoredGame | undefined>;
      found.onsuccess = () => {
        fits &&= (found.result?.count ?? 0) === row.count - 1;
        if (fits) games.put(row);
        else transaction.abort();
      };
    }
    try {
      await committed(transaction);
    } catch (error) {
      if (fits) throw error;
    }
    return fits;
  }

  private query<T>(ask: (games: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const request = ask(this.database.transaction(GAMES).objectStore(GAMES));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error("failed"));
    });
  }
}

function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
  });
}

export class MemoryStore implements GameStore {
  readonly isPersistent: boolean = false;
  private readonly rows = new Map<string, StoredGame>();

  async read(code: string): Promise<StoredGame | undefined> {
    const row = this.rows.get(code);
    return row && structuredClone(row);
  }

  async all(): Promise<StoredGame[]> {
    return [...this.rows.values()].map((row) => structuredClone(row));
  }

  async remove(code: string): Promise<void> {
    this.rows.delete(code);
  }

  async write(...rows: StoredGame[]): Promise<boolean> {
    if (rows.some((row) => (this.rows.get(row.code)?.count ?? 0) !== row.count - 1)) return false;
    for (const row of rows) this.rows.set(row.code, structuredClone(row));
    return true;
  }
}
