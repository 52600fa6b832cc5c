// Folders, archives and small repositories for the tests.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as zlib from "node:zlib";

const folders = [];
process.on("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/**
 * A folder with these files, gone when the process of the tests ends. An `after` of this module would run before those of
 * the tests, beside servers that still write; and where one throws, Node runs no other, so nothing ends those servers.
 */
export function folderWith(files) {
  const root = mkdtempSync(join(tmpdir(), "portolan-test-"));
  folders.push(root);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** A web shop in eight languages: small, but with imports, classes, calls across files, tests and documents. */
export const SHOP = {
  "README.md": "# Shop\n\nA small shop.\n\n## Checkout\n\nThe cart is priced, taxed and paid.\n",
  "package.json": '{ "name": "shop", "version": "1.0.0" }\n',
  ".gitignore": "secret/\n*.log\n",
  "secret/key.ts": "export const KEY = 'hidden';\n",
  "debug.log": "noise\n",
  "src/cart.ts": `import { addTax } from "./tax";

/** One line of a cart. */
export interface Line { price: number; count: number }

/** The lines that a customer wants to buy. */
export class Cart {
  private lines: Line[] = [];

  /** Puts a line into the cart. */
  add(line: Line): void {
    this.lines.push(line);
  }

  /** The sum to pay, tax included. */
  total(): number {
    return addTax(this.sum());
  }

  private sum(): number {
    return this.lines.reduce((sum, line) => sum + line.price * line.count, 0);
  }
}
`,
  "src/tax.ts": `const RATE = 0.19;

/** Adds value added tax to a net price. */
export function addTax(net: number): number {
  return round(net * (1 + RATE));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
`,
  "src/checkout.tsx": `import { Cart } from "./cart";

export function Checkout({ cart }: { cart: Cart }) {
  return <Price value={cart.total()} />;
}

function Price({ value }: { value: number }) {
  return <b>{value.toFixed(2)} 💶</b>;
}
`,
  "src/legacy.js": "export function oldTotal(lines) {\n  return lines.length;\n}\n",
  "server/stock.py": `class Stock:
    """Counts what lies in the warehouse."""

    def reserve(self, article: str, count: int) -> bool:
        """Takes articles out of the warehouse for a customer."""
        return self.available(article) >= count

    def available(self, article: str) -> int:
        return 0


def reserve_all(stock: Stock, articles: list[str]) -> bool:
    return all(stock.reserve(article, 1) for article in articles)
`,
  "core/src/money.rs": `/// An amount in cents.
pub struct Money(pub i64);

impl Money {
    /// Adds two amounts.
    pub fn plus(&self, other: &Money) -> Money {
        Money(self.0 + other.0)
    }
}

pub fn sum(amounts: &[Money]) -> Money {
    amounts.iter().fold(Money(0), |acc, amount| acc.plus(amount))
}
`,
  "gateway/main.go":
    "package main\n\n// Pay charges a card.\nfunc Pay(cents int) bool {\n\treturn charge(cents)\n}\n\nfunc charge(cents int) bool { return cents > 0 }\n",
  "mail/Mailer.java":
    "package mail;\n\npublic class Mailer {\n  /** Sends the receipt to a customer. */\n  public void sendReceipt(String to) { send(to); }\n  private void send(String to) {}\n}\n",
  "native/hash.c": '#include "hash.h"\n\nint mix(int a) { return a * 31; }\n\nint hash(int a) { return mix(a); }\n',
  "native/hash.h": "int hash(int a);\n",
  "native/queue.cpp": "class Queue {\npublic:\n  void push(int v) { grow(); }\nprivate:\n  void grow() {}\n};\n",
  "scripts/deploy.lua": "-- uploads the shop to the server\nfunction deploy(host)\n  print(host)\nend\n",
};

/** A zip of these files, as packers write it. */
export function zipOf(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const name = Buffer.from(path);
    const raw = Buffer.from(content);
    const packed = zlib.deflateRawSync(raw, { level: 9 });
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x800, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(zlib.crc32 ? zlib.crc32(raw) : crc(raw), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(raw.length, 18);
    fields.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from("PK\x03\x04"), fields, name, packed);
    const entry = Buffer.alloc(42);
    entry.writeUInt16LE(20, 0);
    fields.copy(entry, 2, 0, 26);
    entry.writeUInt32LE(offset, 38);
    directory.push(Buffer.from("PK\x01\x02"), entry, name);
    offset += 4 + 26 + name.length + packed.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  const count = Object.keys(files).length;
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return new Uint8Array(Buffer.concat([...parts, central, Buffer.from("PK\x05\x06"), end]));
}

// Node before 22.2 has no zlib.crc32.
function crc(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return ~value >>> 0;
}

/** The code of the error that a promise rejects with. */
export async function codeOf(promise) {
  try {
    await promise;
  } catch (error) {
    return error.code;
  }
  return "none";
}
